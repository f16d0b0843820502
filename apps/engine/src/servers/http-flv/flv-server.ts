import type { IncomingMessage, ServerResponse } from 'node:http';
import { plainAddress } from '../../front-door/caller.ts';
import { notPublished, wrongMethod } from '../../front-door/failures.ts';
import type { Reply } from '../../front-door/reply.ts';
import type { ClientInfo } from '../../hub/client-info.ts';
import { Clients } from '../../hub/clients.ts';
import { FanOuts } from '../../hub/fan-outs.ts';
import type { Gate } from '../../hub/gate.ts';
import type { Hub } from '../../hub/hub.ts';
import type { Stream } from '../../hub/stream.ts';
import { placeOfUrl } from '../../hub/stream-address.ts';
import { flvForm } from './flv-form.ts';

interface Options {
  readonly hub: Hub;
  readonly gate: Gate;
}

/** `/{app}/{stream}.flv`: the stream as it is now, until it ends or the viewer leaves. */
export class FlvServer {
  readonly #options: Options;
  readonly #fanOuts = new FanOuts(flvForm);

  constructor(options: Options) {
    this.#options = options;
  }

  readonly serve = (req: IncomingMessage, res: ServerResponse, reply: Reply): void => {
    if (req.method !== 'GET' && req.method !== 'HEAD') {
      reply.fail(res, wrongMethod);
      return;
    }
    const asked = placeOfUrl(req.url ?? '', '.flv');
    const stream = asked && this.#options.hub.find(asked.place);
    if (!asked || !stream) {
      reply.fail(res, notPublished);
      return;
    }
    if (req.method === 'HEAD') {
      this.#begin(res, reply);
      res.end();
      return;
    }
    this.#ask(req, res, reply, stream, asked.param);
  };

  #ask(req: IncomingMessage, res: ServerResponse, reply: Reply, stream: Stream, param: string): void {
    const { socket } = req;
    const info: ClientInfo = {
      id: Clients.newId(),
      kind: 'flv-play',
      address: plainAddress(socket.remoteAddress ?? ''),
      place: stream.place,
      param,
      tcUrl: '',
      pageUrl: String(req.headers.referer ?? '').slice(0, 512),
      connectedAt: new Date(),
    };
    this.#options.gate.play(info).then(
      () => {
        if (socket.destroyed) this.#options.gate.stop(info);
        else this.#play(res, reply, stream, info);
      },
      (error: Error) => reply.fail(res, { status: 403, code: 3000, message: error.message }),
    );
  }

  #play(res: ServerResponse, reply: Reply, stream: Stream, info: ClientInfo): void {
    const { hub, gate } = this.#options;
    const { socket } = res;
    if (!socket) return;
    const entry = Clients.entry(info, () => socket.destroy());
    this.#begin(res, reply);
    res.flushHeaders();
    const fanOut = this.#fanOuts.of(stream);
    const viewer = fanOut.add(entry, socket);
    hub.clients.add(entry);
    res.once('close', () => {
      fanOut.remove(viewer);
      hub.clients.delete(info.id);
      gate.stop(info);
    });
  }

  /** Without a length and without chunks: bytes go to the socket as they are, the same for every viewer. */
  #begin(res: ServerResponse, reply: Reply): void {
    res.shouldKeepAlive = false;
    res.useChunkedEncodingByDefault = false;
    reply.head(res, 200, ['Content-Type', 'video/x-flv', 'Cache-Control', 'no-store', 'Connection', 'close']);
  }
}
