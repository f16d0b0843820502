import type { Socket } from 'node:net';
import { placeOfUrl } from '@weir/dialect';
import type { Log } from '@weir/plane';
import type { Exchange } from '../../http/exchange.ts';
import { notPublished, wrongMethod } from '../../http/failures.ts';
import type { Admission } from '../../hub/clients/admission.ts';
import { dropSocket } from '../../hub/fan-out/drop-socket.ts';
import { FanOuts } from '../../hub/fan-out/fan-outs.ts';
import type { Hub } from '../../hub/hub.ts';
import type { PlayerViews } from '../../hub/player-views/player-views.ts';
import { flvFormat } from '../../packagers/flv/flv-format.ts';
import type { ProtocolServer } from '../protocol-server.ts';
import { flvHeaders, type HttpFlvContext, HttpFlvViewer } from './http-flv-viewer.ts';

interface Options {
  readonly hub: Hub;
  readonly admission: Admission;
  readonly renditions: PlayerViews;
  readonly log: Log;
}

/** `/{app}/{stream}.flv`: the stream as it is now, until it ends or the viewer leaves. */
export class HttpFlvServer implements ProtocolServer {
  readonly listener = undefined;
  readonly #hub: Hub;
  readonly #context: HttpFlvContext;
  readonly #watched = new Set<Socket>();

  constructor({ hub, admission, renditions, log }: Options) {
    this.#hub = hub;
    const fanOuts = new FanOuts(flvFormat, (stream) => renditions.of(stream, 'classic'));
    this.#context = { admission, log, fanOuts, watched: this.#watched };
  }

  /** The front door has the port. */
  async open(): Promise<void> {}

  async close(): Promise<void> {
    for (const socket of [...this.#watched]) dropSocket(socket);
  }

  readonly serve = (exchange: Exchange): void => {
    const { method, url } = exchange;
    const asked = placeOfUrl(url, '.flv');
    if (method !== 'GET' && method !== 'HEAD') exchange.fail(wrongMethod);
    else if (!asked || (method === 'HEAD' && !this.#hub.find(asked.place))) exchange.fail(notPublished);
    else if (method === 'HEAD') exchange.answer(200, flvHeaders, Buffer.alloc(0));
    else void new HttpFlvViewer(exchange, this.#context).begin(asked);
  };
}
