import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Log } from '@weir/plane';
import { AiHttpError } from './ai-http-error.ts';
import { type Routes, sendJson } from './routes.ts';

/** Serves the routes. Every request gets a response, and no error ends the process. */
export function createHttpServer(routes: Routes, log: Log): Server {
  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    const gone = new AbortController();
    response.once('close', () => gone.abort());
    try {
      const [path] = (request.url ?? '').split('?');
      const handler = routes[`${request.method} ${path}`];
      if (!handler) throw new AiHttpError(404, 'not_found', 'There is no such endpoint.');
      await handler({ request, response, signal: gone.signal });
    } catch (error) {
      if (gone.signal.aborted) return;
      const known = error instanceof AiHttpError ? error : undefined;
      if (!known) log.error({ err: error, url: request.url }, 'request failed');
      if (response.headersSent) return void response.destroy();
      // The rest of the request is not read, so the connection must close.
      response.setHeader('connection', 'close');
      sendJson(
        { response },
        (known ?? new AiHttpError(500, 'internal', 'The request failed.')).body,
        known?.status ?? 500,
      );
    }
  };
  const server = createServer((request, response) => void serve(request, response));
  // Requests may last as long as a stream; each handler has its own limits.
  server.requestTimeout = 0;
  server.headersTimeout = 10_000;
  server.on('clientError', (_error, socket) => socket.destroy());
  return server;
}
