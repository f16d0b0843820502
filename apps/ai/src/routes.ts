import type { IncomingMessage, ServerResponse } from 'node:http';

export interface RequestContext {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Aborts when the caller disconnects. */
  readonly signal: AbortSignal;
}

type Handler = (exchange: RequestContext) => Promise<void>;

/** Handlers by method and path, such as `GET /v1/models`. */
export type Routes = Readonly<Record<string, Handler>>;

export function sendJson({ response }: Pick<RequestContext, 'response'>, value: unknown, status = 200): void {
  const body = Buffer.from(JSON.stringify(value));
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': body.length });
  response.end(body);
}
