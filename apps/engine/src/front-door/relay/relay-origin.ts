import { readWhole, Upstream } from './upstream.ts';

const freshMs = 1000;
/** Pause before a missing stream is looked up again: it may just have started. */
const missMs = 100;
const largestList = 16 * 1024 * 1024;
const listPath = '/api/v1/streams/?start=0&count=100000';

/**
 * Streams that SRS has a publisher for, queried once a second at most. A player that requests FLV from SRS too early
 * makes SRS name the stream `show.flv` for good, and its HLS with it, so no player is let through before.
 */
class LiveStreams {
  readonly #api: Upstream;
  #streams: Promise<ReadonlySet<string>> | undefined;
  #queriedAtMs = 0;

  constructor(api: Upstream) {
    this.#api = api;
  }

  /** `path`: `/app/stream`, as it stands in a request. Rejects when SRS does not tell. */
  async has(path: string): Promise<boolean> {
    const url = decodedPath(path);
    if ((await this.#list(freshMs)).has(url)) return true;
    return (await this.#list(missMs)).has(url);
  }

  /** Returns the list of live streams, at most this old. */
  #list(mostAgeMs: number): Promise<ReadonlySet<string>> {
    if (!this.#streams || Date.now() - this.#queriedAtMs >= mostAgeMs) {
      const streams = this.#query();
      this.#streams = streams;
      this.#queriedAtMs = Date.now();
      // Waiting callers see the rejection; the next call tries again.
      streams.catch(() => {
        if (this.#streams === streams) this.#streams = undefined;
      });
    }
    return this.#streams;
  }

  async #query(): Promise<ReadonlySet<string>> {
    const request = { method: 'GET', path: listPath, headers: { host: 'srs' } };
    const answer = await this.#api.request(request, AbortSignal.timeout(5000));
    const read: unknown = JSON.parse((await readWhole(answer, largestList)).toString('utf8'));
    const streams = isListing(read) ? read.streams : [];
    // `/app/stream`, with the vhost in front where it is not the default.
    return new Set(streams.filter(isLive).map(({ url }) => url.slice(Math.max(0, url.indexOf('/')))));
  }
}

interface ListedStream {
  readonly url: string;
}

function isListing(read: unknown): read is { readonly streams: readonly unknown[] } {
  return typeof read === 'object' && read !== null && 'streams' in read && Array.isArray(read.streams);
}

function isLive(stream: unknown): stream is ListedStream {
  if (typeof stream !== 'object' || stream === null || !('publish' in stream) || !('url' in stream)) return false;
  const { publish, url } = stream;
  return (
    typeof url === 'string' &&
    typeof publish === 'object' &&
    publish !== null &&
    'active' in publish &&
    publish.active === true
  );
}

function decodedPath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** SRS process behind the front door. */
export class RelayOrigin {
  readonly api: Upstream;
  readonly media: Upstream;
  readonly live: LiveStreams;

  constructor(api: string, media: string) {
    this.api = new Upstream(api);
    this.media = new Upstream(media);
    this.live = new LiveStreams(this.api);
  }

  close(): void {
    this.api.close();
    this.media.close();
  }
}

/** The first that has a publisher for `/app/stream`. Rejects when none of them tells. */
export async function findOrigin(origins: readonly RelayOrigin[], stream: string): Promise<RelayOrigin | undefined> {
  const asked = await Promise.allSettled(origins.map(({ live }) => live.has(stream)));
  const at = asked.findIndex((answer) => answer.status === 'fulfilled' && answer.value);
  if (at >= 0) return origins[at];
  const failed = asked.find((answer) => answer.status === 'rejected');
  if (failed && asked.every(({ status }) => status === 'rejected')) throw failed.reason;
  return undefined;
}
