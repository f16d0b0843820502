import { type AskedStream, placeOfUrl } from '@weir/dialect';
import type { Log } from '@weir/plane';
import type { Exchange } from '../../http/exchange.ts';
import { notPublished, wrongMethod } from '../../http/failures.ts';
import type { Admission, AdmittedViewer, Applicant } from '../../hub/clients/admission.ts';
import { Clients } from '../../hub/clients/clients.ts';
import { Refused } from '../../hub/clients/gate.ts';
import { dropSocket } from '../../hub/fan-out/drop-socket.ts';
import { FanOuts } from '../../hub/fan-out/fan-outs.ts';
import type { Hub } from '../../hub/hub.ts';
import type { Renditions } from '../../hub/renditions/renditions.ts';
import { flvForm } from '../../packagers/flv/flv-form.ts';
import { httpPatienceMs } from '../http-patience.ts';

interface Options {
  readonly hub: Hub;
  readonly admission: Admission;
  readonly renditions: Renditions;
  readonly log: Log;
}

const headers = ['Content-Type', 'video/x-flv', 'Cache-Control', 'no-store'];

/** `/{app}/{stream}.flv`: the stream as it is now, until it ends or the viewer leaves. */
export class FlvServer {
  readonly #options: Options;
  readonly #fanOuts = new FanOuts(flvForm, (stream) => this.#options.renditions.of(stream, 'classic'));

  constructor(options: Options) {
    this.#options = options;
  }

  readonly serve = (exchange: Exchange): void => {
    const { method, url } = exchange;
    const asked = placeOfUrl(url, '.flv');
    if (method !== 'GET' && method !== 'HEAD') exchange.fail(wrongMethod);
    else if (!asked || (method === 'HEAD' && !this.#options.hub.find(asked.place))) exchange.fail(notPublished);
    else if (method === 'HEAD') exchange.answer(200, headers, Buffer.alloc(0));
    else this.#ask(exchange, asked);
  };

  #ask(exchange: Exchange, { place, param }: AskedStream): void {
    const { socket } = exchange;
    const info = {
      id: Clients.newId(),
      kind: 'flv-play',
      address: exchange.address,
      place,
      param,
      tcUrl: '',
      pageUrl: (exchange.header('referer') ?? '').slice(0, 512),
      connectedAt: new Date(),
    } as const;
    const applicant: Applicant = {
      info,
      kick: () => dropSocket(socket),
      isGone: () => socket.destroyed,
      onGone: (then) => exchange.onOver(then),
      patienceMs: httpPatienceMs,
    };
    this.#options.admission
      .play(applicant)
      .then(
        (admitted) => this.#play(exchange, admitted),
        (error: Error) => {
          if (exchange.isOver) return;
          const isAbsent = error instanceof Refused && error.isAbsent;
          exchange.fail(isAbsent ? notPublished : { status: 403, code: 3000, message: error.message });
        },
      )
      .catch((error: unknown) => {
        this.#options.log.error({ err: error }, 'flv viewer failed');
        socket.destroy();
      });
  }

  /** Without a length and without chunks: bytes go to the socket as they are, the same for every viewer. */
  #play(exchange: Exchange, { entry, stream, leave }: AdmittedViewer): void {
    const socket = exchange.takeOver(headers);
    const fanOut = this.#fanOuts.of(stream);
    socket.once('close', leave);
    const viewer = fanOut.add(entry, socket);
    socket.once('close', () => fanOut.remove(viewer));
  }
}
