import type { Socket } from 'node:net';
import type { Log } from '@weir/plane';
import { type AskedStream, placeOfUrl } from '@weir/streams';
import type { SharedMemory } from '../../delivery/shared-memory.ts';
import type { Exchange } from '../../http/exchange.ts';
import { broken, notPublished, refusedFailure, wrongMethod } from '../../http/failures.ts';
import type { AccessGate } from '../../hub/access-gate.ts';
import type { Admission, AdmittedViewer, Applicant } from '../../hub/clients/admission.ts';
import { Clients } from '../../hub/clients/clients.ts';
import { Refused } from '../../hub/clients/gate.ts';
import type { Delivery } from '../../hub/fan-out/delivery.ts';
import { dropSocket } from '../../hub/fan-out/drop-socket.ts';
import { FanOuts } from '../../hub/fan-out/fan-outs.ts';
import type { Hub } from '../../hub/hub.ts';
import type { PlayerViews } from '../../hub/player-views/player-views.ts';
import type { Quality } from '../../hub/qualities/quality.ts';
import type { Stream } from '../../hub/stream.ts';
import { flvFormat } from '../../packagers/flv/flv-format.ts';
import { httpSilenceLimitMs } from '../http-silence-limit.ts';
import type { ProtocolServer } from '../protocol-server.ts';
import { siteOf } from '../site-of.ts';

interface HttpFlvContext {
  readonly admission: Admission;
  readonly fanOuts: FanOuts;
  /** Connections on which somebody watches now. */
  readonly watched: Set<Socket>;
  readonly log: Log;
}

const flvHeaders = ['Content-Type', 'video/x-flv', 'Cache-Control', 'no-store'];

/** One request for a stream, from the check of permission to its end. */
class HttpFlvViewer {
  readonly #exchange: Exchange;
  readonly #context: HttpFlvContext;
  /** Socket that the stream is written to. */
  #socket: Socket | undefined;

  constructor(exchange: Exchange, context: HttpFlvContext) {
    this.#exchange = exchange;
    this.#context = context;
  }

  async begin(asked: AskedStream): Promise<void> {
    const { admission, log } = this.#context;
    try {
      const admitted = await admission.play(this.#applicantFor(asked)).catch((error: Error) => this.#refuse(error));
      if (admitted) this.#play(admitted);
    } catch (error) {
      log.error({ err: error }, 'flv viewer failed');
      this.#end();
    }
  }

  #applicantFor({ place, param }: AskedStream): Applicant {
    const { address } = this.#exchange;
    return {
      info: {
        id: Clients.newId(),
        kind: 'flv-play',
        address,
        place,
        param,
        tcUrl: '',
        pageUrl: (this.#exchange.header('referer') ?? '').slice(0, 512),
        site: siteOf(this.#exchange),
        connectedAt: new Date(),
      },
      kick: () => this.#end(),
      isGone: () => this.#exchange.isOver,
      onGone: (then) => this.#exchange.onOver(then),
      patienceMs: httpSilenceLimitMs,
    };
  }

  #end(): void {
    if (this.#socket) dropSocket(this.#socket);
    else this.#exchange.destroy();
  }

  #refuse(error: Error): undefined {
    if (this.#exchange.isOver) return;
    const isAbsent = error instanceof Refused && error.isAbsent;
    this.#exchange.fail(isAbsent ? notPublished : refusedFailure(error));
  }

  /** Without a length and without chunks: bytes go to the socket as they are, the same for every viewer. */
  #play(admitted: AdmittedViewer): void {
    const { entry, leave } = admitted;
    const { fanOuts, watched } = this.#context;
    const socket = this.#exchange.startStream(flvHeaders);
    this.#socket = socket;
    watched.add(socket);
    socket.once('close', () => {
      watched.delete(socket);
      leave();
    });
    const fanOut = fanOuts.of(admitted);
    const viewer = fanOut.add(entry, socket);
    socket.once('close', () => fanOut.remove(viewer));
  }
}

interface Options {
  readonly hub: Hub;
  /** Absent: everybody may watch everything. */
  readonly access?: Pick<AccessGate, 'assertMayWatch'>;
  readonly admission: Admission;
  readonly playerViews: PlayerViews;
  readonly memory?: SharedMemory;
  readonly delivery?: Delivery;
  readonly log: Log;
}

/** `/{app}/{stream}.flv`: the stream as it is now, until it ends or the viewer leaves. */
export class HttpFlvServer implements ProtocolServer {
  readonly listener = undefined;
  readonly #hub: Hub;
  readonly #access: Options['access'];
  readonly #context: HttpFlvContext;
  readonly #watched = new Set<Socket>();

  constructor({ hub, access, admission, playerViews, memory, delivery, log }: Options) {
    this.#hub = hub;
    this.#access = access;
    const viewOf = (stream: Stream, quality: Quality | undefined) => playerViews.ofQuality(stream, quality);
    const fanOuts = new FanOuts(flvFormat, viewOf, memory, delivery);
    this.#context = { admission, log, fanOuts, watched: this.#watched };
  }

  /** The front door has the port. */
  async open(): Promise<void> {}

  async close(): Promise<void> {
    for (const socket of [...this.#watched]) dropSocket(socket);
  }

  async #describe(exchange: Exchange, { place: named, param }: AskedStream): Promise<void> {
    const place = this.#context.admission.resolve(named);
    const { address } = exchange;
    try {
      await this.#access?.assertMayWatch({ place, param, address, site: siteOf(exchange) });
      if (!this.#hub.find(place)) exchange.fail(notPublished);
      else exchange.answer(200, flvHeaders, Buffer.alloc(0));
    } catch (error) {
      exchange.fail(error instanceof Refused ? refusedFailure(error) : broken);
    }
  }

  readonly serve = (exchange: Exchange): void => {
    const { method, url } = exchange;
    const asked = placeOfUrl(url, '.flv');
    if (method !== 'GET' && method !== 'HEAD') exchange.fail(wrongMethod);
    else if (!asked) exchange.fail(notPublished);
    else if (method === 'HEAD') void this.#describe(exchange, asked);
    else void new HttpFlvViewer(exchange, this.#context).begin(asked);
  };
}
