import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { MalformedMedia, type RtmpEvent, RtmpServerSession } from '@weir/media';
import { IdleTimeout, type Log } from '@weir/plane';
import { plainAddress } from '@weir/streams';
import type { Admission, AdmittedViewer, Applicant } from '../../hub/clients/admission.ts';
import type { ClientInfo, ClientKind } from '../../hub/clients/client-info.ts';
import { Clients } from '../../hub/clients/clients.ts';
import { Refused } from '../../hub/clients/gate.ts';
import { dropSocket } from '../../hub/fan-out/drop-socket.ts';
import type { FanOut } from '../../hub/fan-out/fan-out.ts';
import type { FanOuts } from '../../hub/fan-out/fan-outs.ts';
import type { Viewer } from '../../hub/fan-out/viewer.ts';
import type { PendingAccount, PendingBytes } from '../../hub/pending-bytes.ts';
import type { ReadPace } from './read-pace.ts';
import { RtmpPublisher } from './rtmp-publisher.ts';

/** A peer that was allowed to play: it gets what the fan-out of its stream writes. */
class RtmpViewer {
  readonly #admitted: AdmittedViewer;
  #seat: { readonly fanOut: FanOut; readonly viewer: Viewer } | undefined;

  constructor(admitted: AdmittedViewer) {
    this.#admitted = admitted;
  }

  join(fanOut: FanOut, socket: Socket): void {
    this.#seat = { fanOut, viewer: fanOut.add(this.#admitted.entry, socket) };
  }

  /** False while nobody else writes to its connection. */
  reply(bytes: Buffer): boolean {
    this.#seat?.fanOut.reply(this.#seat.viewer, bytes);
    return this.#seat !== undefined;
  }

  leave(): void {
    this.#seat?.fanOut.remove(this.#seat.viewer);
    this.#admitted.leave();
  }
}

interface RtmpContext {
  readonly admission: Admission;
  readonly fanOuts: FanOuts;
  readonly log: Log;
  readonly limits: RtmpLimits;
  readonly pace: ReadPace;
  /** Limits of unfinished messages before and after admission as a publisher. */
  readonly pending: { readonly strangers: PendingBytes; readonly publishers: PendingBytes };
}

export interface RtmpLimits {
  /** Time from connecting to publishing or playing. */
  readonly startMs: number;
  /** A publisher that sends nothing for this long is gone. */
  readonly publisherIdleMs: number;
  /** Time limits for receiving one message: from a publisher on a slow line, and from any other peer. */
  readonly publisherMessageMs: number;
  readonly messageMs: number;
  /** Time for a refused client to read the reason. */
  readonly lingerMs: number;
}

type Connect = Extract<RtmpEvent, { type: 'connect' }>;
type PlayOrPublish = Extract<RtmpEvent, { type: 'publish' | 'play' }>;

/** Limit of unread replies. A client that sends requests without reading is disconnected. */
const mostUnreadBytes = 256 * 1024;
const nothing = Buffer.alloc(0);
/** A publisher that sends nothing for this long is asked for a sign of life when another one wants its stream. */
const silentAfterMs = 1500;
const answerLookMs = 50;
const answerLooks = 20;

/** RTMP connection, from accept to close. */
export class RtmpConnection {
  readonly #context: RtmpContext;
  readonly #socket: Socket;
  readonly #onClosed: () => void;
  readonly #session = new RtmpServerSession();
  readonly #address: string;
  #pending: PendingAccount;
  #connect: Connect | undefined;
  #publisher: RtmpPublisher | undefined;
  #viewer: RtmpViewer | undefined;
  #deadline: IdleTimeout;
  #reason = 'closed by the peer';
  /** Refused or closed: further input is ignored. */
  #isOver = false;
  #onGone: (() => void) | undefined;
  #heardMs = performance.now();

  constructor(socket: Socket, context: RtmpContext, onClosed: () => void) {
    this.#context = context;
    this.#socket = socket;
    this.#onClosed = onClosed;
    this.#address = plainAddress(socket.remoteAddress ?? '');
    this.#pending = context.pending.strangers.account(this.#address);
    this.#deadline = new IdleTimeout(context.limits.startMs, () =>
      this.close('nothing was published or played in time'),
    );
    socket.setNoDelay(true);
    socket.setKeepAlive(true, 30_000);
    socket.on('data', (chunk: Buffer) => this.#onData(chunk));
    socket.on('error', () => undefined);
    socket.once('close', () => this.#onClose());
  }

  /** The same for a server that stops: peers that understand it are asked to connect again. */
  leave(reason: string): void {
    if (!this.#isOver && this.#session.askToReconnect(reason)) this.#sendReplies();
    this.close(reason);
  }

  /** Ends publishing and playing before it returns. */
  close(reason: string): void {
    if (!this.#isOver) this.#reason = reason;
    dropSocket(this.#socket);
    this.#release();
  }

  /** Now and then. */
  tick(nowMs: number): void {
    const { publisherMessageMs, messageMs } = this.#context.limits;
    if (this.#session.tick(nowMs) <= (this.#publisher ? publisherMessageMs : messageMs)) return;
    this.close('malformed: a message did not end in time');
  }

  #onData(chunk: Buffer): void {
    if (this.#isOver) return;
    if (this.#publisher) {
      this.#heardMs = performance.now();
      this.#publisher.count(chunk.length);
      this.#deadline.refresh();
    }
    this.#advance(chunk);
    this.#publisher?.took(chunk.length);
  }

  /** Processes input of the peer. Errors stay within this connection. */
  #advance(chunk: Buffer): void {
    try {
      for (const event of this.#session.push(chunk)) {
        this.#onEvent(event);
        if (this.#isOver) return;
      }
      this.#sendReplies();
      if (!this.#pending.set(this.#session.pendingBytes)) throw new MalformedMedia('too much RTMP data is pending');
    } catch (error) {
      this.#fail(error);
    }
  }

  #fail(error: unknown): void {
    if (!(error instanceof MalformedMedia)) this.#context.log.error({ err: error }, 'rtmp connection failed');
    this.close(error instanceof MalformedMedia ? `malformed: ${error.message}` : 'internal error');
  }

  #sendReplies(): void {
    const replies = this.#session.readOutput();
    if (!replies || this.#socket.destroyed) return;
    if (this.#socket.writableLength <= mostUnreadBytes) {
      if (!this.#viewer?.reply(replies)) this.#socket.write(replies);
    }
    // A viewer that is behind gets no replies until it repeats its request.
    else if (!this.#viewer) throw new MalformedMedia('RTMP peer does not read the replies');
  }

  #onEvent(event: RtmpEvent): void {
    switch (event.type) {
      case 'media':
        this.#publisher?.onMedia(event);
        break;
      case 'connect':
        this.#connect = event;
        break;
      case 'publish':
      case 'play':
        this.#requestAdmission(event);
        break;
      case 'unpublish':
        this.#endPublication();
        break;
      case 'stopped':
        this.close('stopped by the player');
        break;
    }
  }

  /** Commands behind this one wait in the session; what a publisher sends on top of them stays in the kernel. */
  #requestAdmission(event: PlayOrPublish): void {
    const applicant: Applicant = {
      info: this.#infoOf(event),
      kick: (reason) => this.close(reason),
      isGone: () => this.#isOver || this.#socket.destroyed,
      onGone: (then) => {
        this.#onGone = then;
      },
    };
    const isPublish = event.type === 'publish';
    if (isPublish) this.#socket.pause();
    // The wait of a viewer is limited elsewhere. Reading continues, to notice when it leaves.
    else this.#deadline.end();
    const decision = isPublish ? this.#publish(applicant) : this.#play(applicant);
    decision
      .catch((error: unknown) => this.#refuse(event, error))
      .then(() => {
        if (!this.#isOver) this.#advance(nothing);
        this.#socket.resume();
      })
      .catch((error: unknown) => this.#fail(error));
  }

  async #publish(applicant: Applicant): Promise<void> {
    const { admission, limits, pace, pending } = this.#context;
    const admitted = await admission.publish(applicant);
    if (this.#isOver) {
      admitted.leave(this.#reason);
      return;
    }
    this.#publisher = new RtmpPublisher({ admitted, socket: this.#socket, pace });
    admitted.entry.answers = () => this.#answers();
    admitted.entry.setStandby = (isStandby) => pace.setStandby(this.#socket, isStandby);
    this.#count(pending.publishers);
    this.#rearm('nothing received', limits.publisherIdleMs);
    this.#session.acceptPublish();
  }

  /** True if media came a moment ago, or anything comes after a ping. Counts its looks, so that a pause of our own is no silence. */
  async #answers(): Promise<boolean> {
    const heardMs = this.#heardMs;
    if (performance.now() - heardMs < silentAfterMs) return true;
    this.#session.ping();
    this.#sendReplies();
    for (let n = 0; n < answerLooks && !this.#isOver; n++) {
      await sleep(answerLookMs);
      if (this.#heardMs !== heardMs) return true;
    }
    return false;
  }

  async #play(applicant: Applicant): Promise<void> {
    const { admission, fanOuts } = this.#context;
    const admitted = await admission.play(applicant);
    if (this.#isOver) {
      admitted.leave();
      return;
    }
    this.#viewer = new RtmpViewer(admitted);
    this.#deadline.end();
    this.#session.acceptPlay();
    this.#sendReplies();
    this.#viewer.join(fanOuts.of(admitted), this.#socket);
  }

  #refuse({ type }: PlayOrPublish, error: unknown): void {
    if (this.#isOver) return;
    if (!(error instanceof Refused)) this.#context.log.error({ err: error }, 'rtmp connection failed');
    this.#reason = error instanceof Refused ? error.message : 'internal error';
    if (type === 'publish') this.#session.refusePublish(this.#reason);
    else this.#session.refusePlay(this.#reason);
    this.#sendReplies();
    this.#release();
    this.#rearm(this.#reason, this.#context.limits.lingerMs);
    this.#socket.end();
  }

  #infoOf({ type, vhost, app, name, param }: PlayOrPublish): ClientInfo {
    const kind: ClientKind = type === 'publish' ? 'rtmp-publish' : 'rtmp-play';
    return {
      id: Clients.newId(),
      kind,
      address: this.#address,
      // Removed from the name, because encoders send it too. An edge of SRS asks with it for its HTTP viewers.
      place: { vhost, app, name: name.replace(/\.flv$/, '') },
      param,
      tcUrl: withoutQuery(this.#connect?.tcUrl ?? ''),
      pageUrl: this.#connect?.pageUrl ?? '',
      connectedAt: new Date(),
    };
  }

  #rearm(reason: string, afterMs: number): void {
    this.#deadline.end();
    this.#deadline = new IdleTimeout(afterMs, () => this.close(reason));
  }

  /** Accounts unfinished messages to this ledger from now on. */
  #count(pending: PendingBytes): void {
    this.#pending.set(0);
    this.#pending = pending.account(this.#address);
  }

  #endPublication(): void {
    if (!this.#publisher) return;
    this.#publisher.leave(this.#reason);
    this.#publisher = undefined;
    this.#count(this.#context.pending.strangers);
  }

  #release(): void {
    this.#isOver = true;
    this.#onGone?.();
    this.#deadline.end();
    this.#endPublication();
    this.#pending.set(0);
    this.#viewer?.leave();
    this.#viewer = undefined;
  }

  #onClose(): void {
    this.#release();
    this.#context.log.debug({ address: this.#address, reason: this.#reason }, 'rtmp connection closed');
    this.#onClosed();
  }
}

/** A key in the address must not travel further than the gate. */
function withoutQuery(url: string): string {
  return url.split('?')[0] ?? '';
}
