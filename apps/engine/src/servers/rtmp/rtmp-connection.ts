import type { Socket } from 'node:net';
import { type Demuxed, FlvBodyReader, MalformedMedia, type RtmpEvent, RtmpServerSession } from '@weir/media';
import type { Log } from '@weir/plane';
import { plainAddress } from '../../front-door/caller.ts';
import type { ClientInfo, ClientKind } from '../../hub/client-info.ts';
import { type ClientEntry, Clients } from '../../hub/clients.ts';
import type { FanOut, Viewer } from '../../hub/fan-out.ts';
import type { FanOuts } from '../../hub/fan-outs.ts';
import { type Gate, Refused } from '../../hub/gate.ts';
import type { Hub } from '../../hub/hub.ts';
import type { Publication } from '../../hub/stream.ts';
import { Unwrapper } from './unwrapper.ts';

export interface RtmpContext {
  readonly hub: Hub;
  readonly gate: Gate;
  readonly fanOuts: FanOuts;
  readonly log: Log;
  readonly limits: RtmpLimits;
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
  #entry: ClientEntry | undefined;
  #publication: Publication | undefined;
  #playing: { readonly fanOut: FanOut; readonly viewer: Viewer } | undefined;
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
    this.#socket.destroy();
  }

  #onData(chunk: Buffer): void {
    if (this.#entry) this.#entry.counters.bytesIn += chunk.length;
    if (this.#publication) this.#deadline.refresh();
    try {
      for (const event of this.#session.push(chunk)) this.#onEvent(event);
      this.#sendReplies();
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
    if (item.type === 'frame') this.#publication?.frame(item.frame);
    else if (item.type === 'config') this.#publication?.config(item.config);
    else this.#publication?.metadata(item.values);
  }

  /** Reading stops until the control plane has decided: what a stranger sends meanwhile stays in the kernel. */
  #ask(event: Ask): void {
    const info = this.#infoOf(event);
    this.#socket.pause();
    const decision = event.type === 'publish' ? this.#publish(info) : this.#play(info);
    decision
      .catch((error: unknown) => this.#refuse(event, info, error))
      .finally(() => {
        this.#sendReplies();
        this.#socket.resume();
      });
  }

  async #publish(info: ClientInfo): Promise<void> {
    const { hub, gate, log, limits } = this.#context;
    if (hub.find(info.place)?.publisher) throw new Refused('this stream is already being published');
    await gate.publish(info);
    const entry = Clients.entry(info, (reason) => this.close(reason));
    try {
      if (this.#socket.destroyed) throw new Refused('the publisher left');
      const stream = hub.open(info.place);
      if (!stream) throw new Refused('there are too many streams');
      this.#publication = stream.publish(entry);
    } catch (error) {
      // It was accepted, so its end is told as well.
      gate.unpublish(info);
      throw error;
    }
    this.#begin(entry);
    this.#deadline = setTimeout(() => this.close('nothing received'), limits.publisherIdleMs);
    this.#session.acceptPublish();
    log.info(
      { stream: `${info.place.app}/${info.place.name}`, client: info.id, address: info.address },
      'publisher came',
    );
  }

  async #play(info: ClientInfo): Promise<void> {
    const { hub, gate, fanOuts } = this.#context;
    const stream = hub.find(info.place);
    if (!stream) throw new Refused('no such stream is live');
    await gate.play(info);
    if (this.#socket.destroyed) {
      gate.stop(info);
      return;
    }
    const entry = Clients.entry(info, (reason) => this.close(reason));
    this.#begin(entry);
    this.#session.acceptPlay();
    this.#sendReplies();
    const fanOut = fanOuts.of(stream);
    this.#playing = { fanOut, viewer: fanOut.add(entry, this.#socket) };
  }

  #begin(entry: ClientEntry): void {
    clearTimeout(this.#deadline);
    this.#entry = entry;
    this.#context.hub.clients.add(entry);
  }

  #refuse(event: Ask, { place, id, address }: ClientInfo, error: unknown): void {
    const isExpected = error instanceof Refused;
    const reason = isExpected ? error.message : 'internal error';
    const facts = { stream: `${place.app}/${place.name}`, client: id, address, reason };
    if (isExpected) this.#context.log.warn(facts, `${event.type} refused`);
    else this.#context.log.error({ ...facts, err: error }, `${event.type} failed`);
    if (event.type === 'publish') this.#session.refusePublish(reason);
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
    const entry = this.#entry;
    if (!this.#publication || !entry) return;
    this.#publication.end();
    this.#publication = undefined;
    this.#context.gate.unpublish(entry.info);
    this.#context.hub.clients.delete(entry.info.id);
    const { place, id } = entry.info;
    this.#context.log.info(
      { stream: `${place.app}/${place.name}`, client: id, bytes: entry.counters.bytesIn, reason: this.#reason },
      'publisher left',
    );
  }

  #onClose(): void {
    clearTimeout(this.#deadline);
    this.#endPublication();
    if (this.#playing && this.#entry) {
      this.#playing.fanOut.remove(this.#playing.viewer);
      this.#context.hub.clients.delete(this.#entry.info.id);
      this.#context.gate.stop(this.#entry.info);
    }
    this.#context.log.debug({ address: this.#address, reason: this.#reason }, 'rtmp connection closed');
  }
}

/** A key in the address must not travel further than the gate. */
function withoutQuery(url: string): string {
  return url.split('?')[0] ?? '';
}
