/** A question to a server that speaks the OpenAI wire. */
export interface WireRequest {
  readonly method: 'GET' | 'POST';
  /** Below the base URL, with its first slash. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** For `send`: time until the last byte. For `stream`: longest time without progress. */
  readonly withinMs: number;
  readonly answerBytes: number;
}

/** Any status is an answer. */
interface WireAnswer {
  readonly status: number;
  readonly retryAfter: string | undefined;
  readonly body: Buffer;
}

interface WireStream extends Omit<WireAnswer, 'body'> {
  /** Media type of the body. */
  readonly type: string;
  readonly body: AsyncIterable<Buffer>;
}

/** Peer that speaks this protocol: a provider elsewhere or the built-in process. Fails with `AiError` only. */
export interface WireTarget {
  send(request: WireRequest, signal: AbortSignal): Promise<WireAnswer>;
  stream(request: WireRequest, signal: AbortSignal): Promise<WireStream>;
}
