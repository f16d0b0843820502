import type { IncomingMessage, ServerResponse } from 'node:http';
import { plainAddress } from '../../front-door/caller.ts';
import { notPublished, wrongMethod } from '../../front-door/failures.ts';
import type { Reply } from '../../front-door/reply.ts';
import type { Admission, AdmittedViewer } from '../../hub/admission.ts';
import { Clients } from '../../hub/clients.ts';
import { FanOuts } from '../../hub/fan-outs.ts';
import type { Hub } from '../../hub/hub.ts';
import type { Renditions } from '../../hub/renditions/renditions.ts';
import { type AskedStream, placeOfUrl } from '../../hub/stream-address.ts';
import { flvForm } from './flv-form.ts';

interface Options {
  readonly hub: Hub;
  readonly admission: Admission;
  readonly renditions: Renditions;
}

/** `/{app}/{stream}.flv`: the stream as it is now, until it ends or the viewer leaves. */
export class FlvServer {
  readonly #options: Options;
  readonly #fanOuts = new FanOuts(flvForm, (stream) => this.#options.renditions.of(stream, 'classic'));

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
    this.#ask(req, res, reply, asked);
  };

  #ask(req: IncomingMessage, res: ServerResponse, reply: Reply, { place, param }: AskedStream): void {
    const { socket } = req;
    const info = {
      id: Clients.newId(),
      kind: 'flv-play',
      address: plainAddress(socket.remoteAddress ?? ''),
      place,
      param,
      tcUrl: '',
      pageUrl: String(req.headers.referer ?? '').slice(0, 512),
      connectedAt: new Date(),
    } as const;
    const applicant = { info, kick: () => socket.destroy(), isGone: () => socket.destroyed };
    this.#options.admission.play(applicant).then(
      (admitted) => this.#play(res, reply, admitted),
      (error: Error) => {
        if (!socket.destroyed) reply.fail(res, { status: 403, code: 3000, message: error.message });
      },
    );
  }

  #play(res: ServerResponse, reply: Reply, { entry, stream, leave }: AdmittedViewer): void {
    const { socket } = res;
    if (!socket) {
      leave();
      return;
    }
    this.#begin(res, reply);
    res.flushHeaders();
    const fanOut = this.#fanOuts.of(stream);
    const viewer = fanOut.add(entry, socket);
    res.once('close', () => {
      fanOut.remove(viewer);
      leave();
    });
  }

  /** Without a length and without chunks: bytes go to the socket as they are, the same for every viewer. */
  #begin(res: ServerResponse, reply: Reply): void {
    res.shouldKeepAlive = false;
    res.useChunkedEncodingByDefault = false;
    reply.head(res, 200, ['Content-Type', 'video/x-flv', 'Cache-Control', 'no-store', 'Connection', 'close']);
  }
}
