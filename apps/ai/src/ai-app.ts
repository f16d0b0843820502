import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Log } from '@weir/plane';
import { AiHttpError } from './http/ai-http-error.ts';
import { type RequestContext, type Routes, sendJson } from './http/routes.ts';
import { SherpaRuntime } from './speech/sherpa-runtime.ts';
import { type SpeechModel, SpeechModels } from './speech/speech-models.ts';
import { speechRoutes } from './speech/speech-routes.ts';
import { UserModels } from './user-models/user-models.ts';
import { visionModels, visionRoutes } from './vision/vision-routes.ts';
import { VisionThread } from './vision/vision-thread.ts';
import { voiceRoutes } from './voice/voice-routes.ts';
import { Voices } from './voice/voices.ts';

interface Context {
  readonly modelsDir: string;
  /** Entry file of this process. */
  readonly entry: string;
  readonly log: Log;
}

/** Builds the HTTP server of all AI endpoints; it does not listen yet. */
export function createAiApp({ modelsDir, entry, log }: Context): Server {
  const stack = new SherpaRuntime(modelsDir);
  const added = new UserModels(modelsDir, entry);
  const speech = new SpeechModels(modelsDir, added);
  const voices = new Voices(added);

  async function models(exchange: RequestContext): Promise<void> {
    const entries = (kind: string, found: readonly Listed[]) =>
      found.map(({ id, name, languages }) => ({ id, name, kind, languages }));
    const unusable = (await added.list()).filter(({ problem }) => problem !== '');
    const data = [
      ...entries('speech-to-text', await speech.list()),
      ...entries('vision', await visionModels(modelsDir)),
      ...entries('voice', await voices.list()),
      // No caller requests this kind; it tells the owner the reason.
      ...unusable.map(({ id, problem }) => ({ id, name: id, kind: 'unusable', languages: [], problem })),
    ];
    sendJson(exchange, {
      object: 'list',
      data: data.map((model) => ({ object: 'model', created: 0, owned_by: 'weir', ...model })),
    });
  }

  return createHttpServer(
    {
      'GET /v1/models': models,
      ...speechRoutes(stack, speech),
      ...visionRoutes(new VisionThread(entry, modelsDir), modelsDir),
      ...voiceRoutes(stack, voices, added),
    },
    log,
  );
}

type Listed = Pick<SpeechModel, 'id' | 'name' | 'languages'>;

/** Serves the routes. Every request gets a response, and no error ends the process. */
function createHttpServer(routes: Routes, log: Log): Server {
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
