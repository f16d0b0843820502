import type { IncomingMessage, ServerResponse } from 'node:http';

/** One request and the way to answer it. */
export interface RequestContext {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Aborts when the caller is gone: nobody wants the answer. */
  readonly signal: AbortSignal;
}

type Handler = (exchange: RequestContext) => Promise<void>;

/** `GET /v1/models` and what answers it. */
export type Routes = Readonly<Record<string, Handler>>;

export function sendJson({ response }: Pick<RequestContext, 'response'>, value: unknown, status = 200): void {
  const body = Buffer.from(JSON.stringify(value));
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': body.length });
  response.end(body);
}
