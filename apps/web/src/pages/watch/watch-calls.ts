import type { ListedChannel, WatchedStream } from '@weir/contract';

/** A call that was refused. Without `status` no response arrived. */
export class CallError extends Error {
  readonly status: number | undefined;
  readonly retryAfterSeconds: number;

  constructor(status: number | undefined, retryAfterSeconds = 0) {
    super(`status ${status ?? 'none'}`);
    this.status = status;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

export const describe = (playback: string, token: string): Promise<WatchedStream> => call('query', { playback, token });
export const unlock = (playback: string, password: string): Promise<{ token: string }> =>
  call('unlock', { playback, password });
export const listChannel = (): Promise<ListedChannel> => call('channel', {});

/** The typed client of the console would weigh more than the rest of a page. */
async function call<T>(name: string, body: object): Promise<T> {
  const response = await fetch(`/terraform/v1/watch/${name}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    credentials: 'omit',
    cache: 'no-store',
  }).catch(() => undefined);
  if (!response) throw new CallError(undefined);
  if (!response.ok) throw new CallError(response.status, Number(response.headers.get('retry-after') ?? 0) || 0);
  return ((await response.json()) as { data: T }).data;
}
