import type { EngineCall } from '@weir/engine-api';

type Handle = (request: unknown) => unknown;

/** Makes calls of a served function without a socket. */
export class ServedCalls {
  readonly #handlers = new Map<string, Handle>();

  serve<Request, Answer>(
    { path }: EngineCall<Request, Answer>,
    handle: (request: Request) => Answer | undefined,
  ): void {
    this.#handlers.set(path, handle as Handle);
  }

  call<Request, Answer>({ path }: EngineCall<Request, Answer>, request: Request): Answer | undefined {
    return this.#handlers.get(path)?.(request) as Answer | undefined;
  }
}
