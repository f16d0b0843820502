import type { ActiveStream } from '@weir/contract';
import { compareTexts, placeText, type WirePlace } from '@weir/streams';
import type { Clock } from '../../core/clock.ts';
import { WeirError } from '../../core/errors.ts';
import { TtlCache } from '../../core/ttl-cache.ts';
import type { LiveStream, MediaServer } from '../../media-server/media-server.ts';
import { toPublishedStream } from './published-stream.ts';

interface Target {
  readonly vhost: string;
  readonly app: string;
  readonly stream: string;
  readonly client_id: string;
}

/** Name of the stream key that a stream is published with; empty without one. */
export type KeyOf = (publisher: Target) => string;

/** Short enough to be unnoticed, longer than the pause between parallel calls. */
const freshMs = 100;
/** Fallback refresh; changes are normally reported at once. */
const knownMs = 2000;

/** Live streams from the engine: current for actions, slightly cached for views. */
export class StreamsService {
  readonly #mediaServer: MediaServer;
  readonly #listed: TtlCache<ActiveStream[]>;
  readonly #publishers: TtlCache<ReadonlyMap<string, string>>;

  readonly #keyOf: KeyOf;

  constructor(mediaServer: MediaServer, clock: Pick<Clock, 'elapsedMs'>, keyOf: KeyOf) {
    this.#mediaServer = mediaServer;
    this.#keyOf = keyOf;
    this.#listed = new TtlCache(() => this.#query(), freshMs, clock);
    const publishers = async () =>
      new Map((await this.list()).map(({ client_id, ...place }) => [placeText(place), client_id]));
    this.#publishers = new TtlCache(publishers, knownMs, clock);
  }

  /** Shares one query to the engine between concurrent callers. */
  async list(): Promise<ActiveStream[]> {
    return this.#listed.get();
  }

  /** Finds a stream; undefined while it is not published. */
  async find({ vhost, app, stream }: Omit<Target, 'client_id'>): Promise<ActiveStream | undefined> {
    const all = await this.list();
    return all.find((each) => each.vhost === vhost && each.app === app && each.stream === stream);
  }

  /** Publisher of a stream, without querying all streams; undefined while there is none. */
  async publisherOf(place: WirePlace): Promise<string | undefined> {
    return (await this.#publishers.get()).get(placeText(place));
  }

  /** Drops the cache after a change. */
  forget(): void {
    this.#listed.forget();
    this.#publishers.forget();
  }

  async #query(): Promise<ActiveStream[]> {
    const live = await this.#mediaServer.streams();
    return live
      .map((one) => publicView(one, this.#keyOf))
      .sort((a, b) => compareTexts(b.update, a.update) || compareTexts(a.stream, b.stream));
  }

  async kickOff({ vhost, app, stream, client_id }: Target): Promise<void> {
    const live = await this.#mediaServer.streams();
    const found = live.find((one) => one.vhost === vhost && one.app === app && one.name === stream);
    if (!found || found.clientId === '') throw new WeirError('not_found', 'this stream is not live');
    if (client_id !== '' && client_id !== found.clientId) {
      throw new WeirError('not_found', 'this publisher has disconnected, another one is publishing the stream');
    }
    // Gone in the meantime is what was asked for.
    await this.#mediaServer.kick(found.clientId);
    this.forget();
  }

  /** Disconnects a viewer of this stream. Ids of other clients, in particular of publishers, count as unknown. */
  async kickViewer({ id, ...place }: WirePlace & { readonly id: string }): Promise<{ readonly address: string }> {
    const detail = await this.#mediaServer.detail(place);
    const found = detail?.viewers.find((viewer) => viewer.id === id);
    if (!found) throw new WeirError('not_found', 'this viewer is not watching the stream');
    await this.#mediaServer.kick(id);
    return found;
  }
}

function publicView(live: LiveStream, keyOf: KeyOf): ActiveStream {
  const { vhost, app, stream, param, serverId, clientId, publishedAt } = toPublishedStream(live);
  const { media } = live;
  const key = keyOf({ vhost, app, stream, client_id: clientId });
  return {
    vhost,
    app,
    stream,
    ...(param !== '' && { param }),
    server_id: serverId,
    client_id: clientId,
    update: publishedAt,
    ...(key !== '' && { key }),
    ...(media && { media }),
  };
}
