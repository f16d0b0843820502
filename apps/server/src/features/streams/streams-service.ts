import type { ActiveStream } from '@weir/contract';
import { WeirError } from '../../core/errors.ts';
import type { LiveStream, MediaServer } from '../../media-server/media-server.ts';
import { publishedStreamOf } from './published-stream.ts';

interface Target {
  readonly vhost: string;
  readonly app: string;
  readonly stream: string;
  readonly client_id: string;
}

/** What is live, as the engine says at this moment. */
export class StreamsService {
  readonly #mediaServer: MediaServer;

  constructor(mediaServer: MediaServer) {
    this.#mediaServer = mediaServer;
  }

  async list(): Promise<ActiveStream[]> {
    const live = await this.#mediaServer.streams();
    return live.map(publicView).sort((a, b) => compare(b.update, a.update) || compare(a.stream, b.stream));
  }

  async kickOff({ vhost, app, stream, client_id }: Target): Promise<void> {
    const live = await this.#mediaServer.streams();
    const found = live.find((one) => one.vhost === vhost && one.app === app && one.name === stream);
    if (!found || found.clientId === '') throw new WeirError('not_found', 'nobody publishes this stream now');
    if (client_id !== '' && client_id !== found.clientId) {
      throw new WeirError('not_found', 'this publisher has left; another one publishes the stream now');
    }
    // Gone in the meantime is what was asked for.
    await this.#mediaServer.kick(found.clientId);
  }
}

function publicView(live: LiveStream): ActiveStream {
  const { vhost, app, stream, param, serverId, clientId, publishedAt } = publishedStreamOf(live);
  const { media } = live;
  return {
    vhost,
    app,
    stream,
    ...(param !== '' && { param }),
    server_id: serverId,
    client_id: clientId,
    update: publishedAt,
    ...(media && { media }),
  };
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
