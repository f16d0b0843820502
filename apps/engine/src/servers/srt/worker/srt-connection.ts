import type { Log } from '@weir/plane';
import { messageOf } from '@weir/plane/message-of';
import type { MirroredStream } from '../../../workers/worker/mirrored-streams.ts';
import type { RemoteAdmission, RemoteApplicant } from '../../../workers/worker/remote-admission.ts';
import type { SrtCaller } from './callers/srt-caller.ts';
import type { SrtSocket } from './libsrt/srt-socket.ts';
import type { SrtFanOut } from './srt-fan-out.ts';
import { SrtPublisher } from './srt-publisher.ts';
import { SrtViewer } from './srt-viewer.ts';

export interface SrtContext {
  readonly admission: RemoteAdmission;
  readonly fanOutOf: (stream: MirroredStream) => SrtFanOut;
  readonly publisherIdleMs: number;
  readonly log: Log;
}

/** One accepted caller, from accept to close. */
export class SrtConnection {
  readonly #context: SrtContext;
  readonly #socket: SrtSocket;
  readonly #onClosed: () => void;
  #role: SrtPublisher | SrtViewer | undefined;
  #isClosed = false;
  #onGone: (() => void) | undefined;

  constructor(socket: SrtSocket, context: SrtContext, onClosed: () => void) {
    this.#context = context;
    this.#socket = socket;
    this.#onClosed = onClosed;
    socket.own({
      onMessage: () => undefined,
      onWritable: () => undefined,
      onGone: () => this.close('closed by the peer'),
    });
  }

  /** What it sends stays in libsrt until the control plane has decided. */
  async begin({ wants, place, param }: SrtCaller): Promise<void> {
    const { address } = this.#socket;
    const applicant: RemoteApplicant = {
      asks: { kind: wants === 'publish' ? 'srt-publish' : 'srt-play', address, place, param },
      kick: (reason) => this.close(reason),
      isGone: () => this.#isClosed,
      onGone: (then) => {
        this.#onGone = then;
      },
      facts: () => this.#socket.facts(),
    };
    try {
      if (wants === 'publish') await this.#publish(applicant);
      else await this.#play(applicant);
    } catch (error) {
      this.close(messageOf(error));
    }
  }

  close(reason: string): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#onGone?.();
    this.#role?.leave(reason);
    void this.#socket.close();
    this.#context.log.debug({ address: this.#socket.address, reason }, 'srt connection closed');
    this.#onClosed();
  }

  async #publish(applicant: RemoteApplicant): Promise<void> {
    const admitted = await this.#context.admission.publish(applicant);
    const end = (reason: string) => this.close(reason);
    const publisher = new SrtPublisher({ admitted, idleMs: this.#context.publisherIdleMs, end });
    this.#role = publisher;
    this.#socket.own(publisher);
    this.#socket.read();
  }

  async #play(applicant: RemoteApplicant): Promise<void> {
    const admitted = await this.#context.admission.play(applicant);
    const end = (reason: string) => this.close(reason);
    const viewer = new SrtViewer({ admitted, socket: this.#socket, end });
    this.#role = viewer;
    this.#socket.own(viewer);
    this.#socket.read();
    viewer.join(this.#context.fanOutOf(admitted.stream));
  }
}
