import type { Socket } from 'node:net';
import { type Demuxed, FlvBodyReader, MalformedMedia, type RtmpEvent, RtmpServerSession } from '@weir/media';
import type { Log } from '@weir/plane';
import { plainAddress } from '../../front-door/caller.ts';
import type { Admission, AdmittedPublisher, AdmittedViewer, Applicant } from '../../hub/admission.ts';
import type { ClientInfo, ClientKind } from '../../hub/client-info.ts';
import { Clients } from '../../hub/clients.ts';
import { dropSocket } from '../../hub/drop-socket.ts';
import type { FanOut, Viewer } from '../../hub/fan-out.ts';
import type { FanOuts } from '../../hub/fan-outs.ts';
import { Refused } from '../../hub/gate.ts';
import type { ReadPace } from './read-pace.ts';
import { Unwrapper } from './unwrapper.ts';

export interface RtmpContext {
  readonly admission: Admission;
  readonly fanOuts: FanOuts;
  readonly log: Log;
  readonly limits: RtmpLimits;
  readonly pace: ReadPace;
}

export interface RtmpLimits {
  /** From connecting to publishing or playing. */
  readonly startMs: number;
  /** A publisher that sends nothing for this long is gone. */
  readonly publisherIdleMs: number;
}

type Connect = Extract<RtmpEvent, { type: 'connect' }>;
type Ask = Extract<RtmpEvent, { type: 'publish' | 'play' }>;

/** One RTMP peer, from accept to close. */
export class RtmpConnection {
  readonly #context: RtmpContext;
  readonly #socket: Socket;
  readonly #session = new RtmpServerSession();
  readonly #address: string;
  readonly #body = new FlvBodyReader();
  readonly #clock = new Unwrapper();
  #connect: Connect | undefined;
  #publishing: AdmittedPublisher | undefined;
  #playing: { readonly admitted: AdmittedViewer; readonly fanOut: FanOut; readonly viewer: Viewer } | undefined;
  #deadline: NodeJS.Timeout;
  #reason = 'closed by the peer';

  constructor(socket: Socket, context: RtmpContext) {
    this.#context = context;
    this.#socket = socket;
    this.#address = plainAddress(socket.remoteAddress ?? '');
    this.#deadline = setTimeout(() => this.close('nothing was published or played in time'), context.limits.startMs);
    socket.setNoDelay(true);
    socket.setKeepAlive(true, 30_000);
    socket.on('data', (chunk: Buffer) => this.#onData(chunk));
    socket.on('error', () => undefined);
    socket.once('close', () => this.#onClose());
  }

  close(reason: string): void {
    this.#reason = reason;
    dropSocket(this.#socket);
  }

  #onData(chunk: Buffer): void {
    if (this.#publishing) {
      this.#publishing.entry.counters.bytesIn += chunk.length;
      this.#deadline.refresh();
    }
    try {
      for (const event of this.#session.push(chunk)) this.#onEvent(event);
      this.#sendReplies();
      if (this.#publishing) this.#context.pace.took(this.#socket, chunk.length);
    } catch (error) {
      if (!(error instanceof MalformedMedia)) this.#context.log.error({ err: error }, 'rtmp connection failed');
      this.close(error instanceof MalformedMedia ? `malformed: ${error.message}` : 'internal error');
    }
  }

  #sendReplies(): void {
    const replies = this.#session.takeOutput();
    if (replies && !this.#socket.destroyed) this.#socket.write(replies);
  }

  #onEvent(event: RtmpEvent): void {
    switch (event.type) {
      case 'media':
        for (const item of this.#body.read(event.kind, this.#clock.next(event.timestamp), event.payload))
          this.#onMedia(item);
        break;
      case 'connect':
        this.#connect = event;
        break;
      case 'publish':
      case 'play':
        this.#ask(event);
        break;
      case 'unpublish':
        this.#endPublication();
        break;
      case 'stopped':
        this.close('stopped by the player');
        break;
    }
  }

  #onMedia(item: Demuxed): void {
    const publication = this.#publishing?.publication;
    if (item.type === 'frame') publication?.frame(item.frame);
    else if (item.type === 'config') publication?.config(item.config);
    else publication?.metadata(item.values);
  }

  /** Reading stops until the control plane has decided: what a stranger sends meanwhile stays in the kernel. */
  #ask(event: Ask): void {
    const applicant: Applicant = {
      info: this.#infoOf(event),
      kick: (reason) => this.close(reason),
      isGone: () => this.#socket.destroyed,
    };
    this.#socket.pause();
    const decision = event.type === 'publish' ? this.#publish(applicant) : this.#play(applicant);
    decision
      .catch((error: unknown) => this.#refuse(event, error))
      .finally(() => {
        this.#sendReplies();
        this.#socket.resume();
      });
  }

  async #publish(applicant: Applicant): Promise<void> {
    const { admission, limits } = this.#context;
    this.#publishing = await admission.publish(applicant);
    clearTimeout(this.#deadline);
    this.#deadline = setTimeout(() => this.close('nothing received'), limits.publisherIdleMs);
    this.#context.pace.add(this.#socket);
    this.#session.acceptPublish();
  }

  async #play(applicant: Applicant): Promise<void> {
    const { admission, fanOuts } = this.#context;
    const admitted = await admission.play(applicant);
    clearTimeout(this.#deadline);
    this.#session.acceptPlay();
    this.#sendReplies();
    const fanOut = fanOuts.of(admitted.stream);
    this.#playing = { admitted, fanOut, viewer: fanOut.add(admitted.entry, this.#socket) };
  }

  #refuse({ type }: Ask, error: unknown): void {
    const reason = error instanceof Refused ? error.message : 'internal error';
    if (type === 'publish') this.#session.refusePublish(reason);
    else this.#session.refusePlay(reason);
    this.#sendReplies();
    this.#reason = reason;
    this.#socket.end();
  }

  #infoOf({ type, vhost, app, name, param }: Ask): ClientInfo {
    const kind: ClientKind = type === 'publish' ? 'rtmp-publish' : 'rtmp-play';
    return {
      id: Clients.newId(),
      kind,
      address: this.#address,
      place: { vhost, app, name },
      param,
      tcUrl: withoutQuery(this.#connect?.tcUrl ?? ''),
      pageUrl: this.#connect?.pageUrl ?? '',
      connectedAt: new Date(),
    };
  }

  #endPublication(): void {
    this.#context.pace.remove(this.#socket);
    this.#publishing?.leave(this.#reason);
    this.#publishing = undefined;
  }

  #onClose(): void {
    clearTimeout(this.#deadline);
    this.#endPublication();
    this.#playing?.fanOut.remove(this.#playing.viewer);
    this.#playing?.admitted.leave();
    this.#context.log.debug({ address: this.#address, reason: this.#reason }, 'rtmp connection closed');
  }
}

/** A key in the address must not travel further than the gate. */
function withoutQuery(url: string): string {
  return url.split('?')[0] ?? '';
}
