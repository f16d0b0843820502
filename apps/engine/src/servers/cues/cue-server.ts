import { placeOfUrl } from '@weir/dialect';
import type { Exchange } from '../../http/exchange.ts';
import { busy, notPublished, wrongMethod } from '../../http/failures.ts';
import type { Hub } from '../../hub/hub.ts';
import { type NetworkLimits, NetworkShares } from '../../hub/network-shares.ts';
import type { Stream } from '../../hub/stream.ts';
import type { ProtocolServer } from '../protocol-server.ts';
import { CueFeed } from './cue-feed.ts';

interface Options {
  readonly hub: Pick<Hub, 'find'>;
  readonly beatMs?: number;
  readonly perNetwork?: NetworkLimits;
}

const headers = [
  'Content-Type',
  'text/event-stream; charset=utf-8',
  'Cache-Control',
  'no-store',
  // Turns off nginx's buffering, which would delay cues.
  'X-Accel-Buffering',
  'no',
];
/** Same limits as HLS: one listener per viewer. */
const perNetwork: NetworkLimits = { network: 10_000, site: 20_000, region: 40_000 };
const nothing = Buffer.alloc(0);

/**
 * `/{app}/{stream}.cues`: what is said, as it becomes known, for players that show it over the video. Who may watch may read; nothing
 * refuses viewers today, so nobody is asked, and a listener is no viewer more.
 */
export class CueServer implements ProtocolServer {
  readonly listener = undefined;
  readonly #options: Options;
  readonly #shares: NetworkShares;
  readonly #feeds = new Map<Stream, CueFeed>();

  constructor(options: Options) {
    this.#options = options;
    this.#shares = new NetworkShares(options.perNetwork ?? perNetwork);
  }

  /** The front door has the port. */
  async open(): Promise<void> {}

  async close(): Promise<void> {
    for (const feed of [...this.#feeds.values()]) feed.drop();
  }

  readonly serve = (exchange: Exchange): void => {
    const { method, url, address } = exchange;
    const asked = placeOfUrl(url, '.cues');
    const stream = asked && this.#options.hub.find(asked.place);
    if (method !== 'GET' && method !== 'HEAD') exchange.fail(wrongMethod);
    else if (!stream) exchange.fail(notPublished);
    // A page that hears this asks again in a while: no connection is kept for a stream without subtitles.
    else if (stream.subtitles.tracks.length === 0) exchange.answer(204, ['Cache-Control', 'no-store'], nothing);
    else if (method === 'HEAD') exchange.answer(200, headers, nothing);
    else if (!this.#shares.take(address)) exchange.fail(busy);
    else this.#listen(exchange, stream, address);
  };

  #listen(exchange: Exchange, stream: Stream, address: string): void {
    const socket = exchange.takeOver(headers);
    socket.once('close', () => this.#shares.giveBack(address));
    // The client sends nothing more than its end.
    socket.once('end', () => socket.destroy()).resume();
    this.#feedOf(stream).add(socket);
  }

  #feedOf(stream: Stream): CueFeed {
    const known = this.#feeds.get(stream);
    if (known) return known;
    const feed: CueFeed = new CueFeed(stream.subtitles, {
      beatMs: this.#options.beatMs ?? 10_000,
      onEmpty: () => {
        if (this.#feeds.get(stream) === feed) this.#feeds.delete(stream);
      },
    });
    this.#feeds.set(stream, feed);
    return feed;
  }
}
