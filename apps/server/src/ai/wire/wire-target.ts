/** A question to a server that speaks the OpenAI wire. */
export interface WireRequest {
  readonly method: 'GET' | 'POST';
  /** Below the base URL, with its first slash. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** Of `send`: until the last byte. Of `stream`: how long nothing may move. */
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

/** Somebody who speaks that wire: a provider elsewhere, or the process beside us. Fails with `AiError` only. */
export interface WireTarget {
  send(request: WireRequest, signal: AbortSignal): Promise<WireAnswer>;
  stream(request: WireRequest, signal: AbortSignal): Promise<WireStream>;
}
