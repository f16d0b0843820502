/** Error response in the format of the OpenAI API. */
export class AiHttpError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }

  get body() {
    const type = this.status >= 500 ? 'server_error' : 'invalid_request_error';
    return { error: { message: this.message, type, param: null, code: this.code } };
  }
}

export const badRequest = (message: string): AiHttpError => new AiHttpError(400, 'invalid_request', message);

/** Overloaded; the caller may retry. */
export const busy = (): AiHttpError => new AiHttpError(429, 'rate_limit_exceeded', 'Too many requests are waiting.');
