import { Socket } from 'node:net';
import { errorMessage } from '@weir/plane/error-message';
import { sharedDescriptor } from '@weir/process';
import { FileRegion } from '../../delivery/memory-file.ts';
import { loadNativeSend, type NativeSend } from '../../delivery/native-send.ts';
import { SharedBytes } from '../../delivery/shared-bytes.ts';
import { SecureConnections } from '../../http/secure-connections.ts';
import { Audience } from '../../hub/fan-out/audience.ts';
import { dropSocket } from '../../hub/fan-out/drop-socket.ts';
import { loopLoad } from '../../hub/fan-out/flush-window.ts';
import type { Viewer, ViewerClient } from '../../hub/fan-out/viewer.ts';
import { ClientReports } from '../worker/client-reports.ts';
import type { WorkerContext } from '../worker/run-worker.ts';
import type { DeliveryEngineNote, DeliveryWorkerNote, GivenMessage } from './delivery-notes.ts';

const everyMs = 1000;
/** Limit of unread bytes, above which a viewer gets no replies. */
const mostUnreadBytes = 256 * 1024;
/** Time without progress after which a client that does not take its answer is disconnected. */
const stallMs = 30_000;

/** A viewer that this process sends to. */
interface Served {
  readonly socket: Socket;
  readonly client: ViewerClient;
  readonly feed: Feed;
  readonly viewer: Viewer;
  reason: string;
}

/** Fan-out for the viewers of this process. */
class Feed {
  readonly audience: Audience;
  configs: readonly Buffer[] = [];
  region = 0;

  constructor(calls: () => NativeSend | undefined) {
    const onLost = (viewer: Viewer) => this.audience.delete(viewer);
    this.audience = new Audience({ configs: () => this.configs, onLost, calls });
  }
}

interface Answer {
  readonly head: Buffer;
  /** Where its content is in the file. */
  readonly place: number;
  readonly bytes: number;
}

/** Sends answers from the file. What a full socket does not take waits in one buffer for all clients of the same content. */
class AnswerSender {
  /** Content with unfinished answers, by its place in the file. The engine does not reuse that place until all of them are finished. */
  readonly #late = new Map<number, { readonly bytes: SharedBytes; users: number }>();

  /** `onSent`: the system has taken all of it. Never called for a connection that ends before. */
  send(socket: Socket, file: FileRegion, { head, place, bytes: length }: Answer, onSent: () => void): void {
    const late = this.#late.get(place) ?? { bytes: SharedBytes.at(file, place, length), users: 0 };
    const { bytes } = late;
    const sent = bytes.sendAfter(head, socket);
    if (sent === head.length + length) {
      onSent();
      return;
    }
    late.users += 1;
    this.#late.set(place, late);
    const stop = this.#watch(socket, () => {
      late.users -= 1;
      if (late.users === 0) this.#late.delete(place);
    });
    const taken = () => {
      stop();
      if (!socket.destroyed) onSent();
    };
    socket.cork();
    if (sent < head.length) socket.write(head.subarray(sent));
    socket.write(bytes.buffer.subarray(Math.max(0, sent - head.length)), taken);
    socket.uncork();
  }

  /** Ends a connection that takes nothing for long. */
  #watch(socket: Socket, onOver: () => void): () => void {
    const end = () => socket.destroy();
    const stop = () => {
      socket.off('timeout', end).off('close', stop).setTimeout(0);
      onOver();
      onOver = () => undefined;
    };
    socket.setTimeout(stallMs).once('timeout', end).once('close', stop);
    return stop;
  }
}

type Context = WorkerContext<DeliveryEngineNote, DeliveryWorkerNote, Record<string, never>>;

/**
 * The delivery process: sends windows of the engine's file to viewers whose connections it shares. The engine reads from these connections and
 * decides which viewers are served.
 */
export class DeliveryWorker {
  readonly #context: Context;
  readonly #reports: ClientReports;
  readonly #feeds = new Map<number, Feed>();
  /** Connections that have arrived and get no windows: they may get answers. */
  readonly #arrived = new Map<number, Socket>();
  readonly #served = new Map<number, Served>();
  readonly #answers = new AnswerSender();
  readonly #secure: SecureConnections;
  readonly #timer: NodeJS.Timeout;
  #file: FileRegion | undefined;

  constructor(context: Context) {
    this.#context = context;
    this.#reports = new ClientReports((note) => context.link.tell(note), false);
    this.#secure = new SecureConnections((client) => this.#reports.leave(client, 'closed by the peer'));
    this.#timer = setInterval(() => this.#reportLoad(), everyMs);
    process.on('message', (message, handle) => {
      if (handle) this.#receive(message as GivenMessage, handle);
    });
    void this.#open();
  }

  onNote(note: DeliveryEngineNote): void {
    switch (note.type) {
      case 'configs':
        this.#feed(note.feed).configs = note.configs.map((text) => Buffer.from(text, 'base64'));
        return;
      case 'window':
        this.#sendWindow(note);
        return;
      case 'gap':
        this.#feeds.get(note.feed)?.audience.skip(note.frames);
        return;
      case 'take':
        this.#startSending(note.client, note.feed);
        return;
      case 'answer':
        this.#answer(note);
        return;
      case 'certificate':
        this.#secure.set(note);
        this.#context.link.tell({ type: 'secure' });
        return;
      case 'reply':
        this.#reply(note.client, note.bytes);
        return;
      case 'end':
        this.#end(note.client, note.reason);
        return;
      case 'shut':
        this.#feeds.delete(note.feed);
        this.#context.link.tell(note);
    }
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    this.#reports.close();
    for (const { socket } of this.#served.values()) dropSocket(socket);
    for (const socket of this.#arrived.values()) socket.destroy();
    this.#secure.close();
  }

  /** Opens the engine's file and then reports a load, before which the engine hands over no viewers. */
  async #open(): Promise<void> {
    const { log, link } = this.#context;
    let calls: NativeSend;
    try {
      calls = await loadNativeSend();
    } catch (error) {
      log.error({ reason: errorMessage(error) }, 'a delivery process cannot send from memory');
      process.exit(1);
    }
    const file = { calls, descriptor: sharedDescriptor, giveBack: () => undefined };
    this.#file = new FileRegion(file, 0, Number.MAX_SAFE_INTEGER);
    link.tell({ type: 'load', load: 0, costs: [] });
  }

  #receive({ client, secureName }: GivenMessage, handle: unknown): void {
    if (secureName !== undefined) {
      this.#secure.add(client, secureName, handle);
      return;
    }
    // Only the engine reads from the connection.
    const options: object = { handle, readable: false, writable: true };
    const socket = new Socket(options);
    this.#arrived.set(client, socket);
    socket.on('error', () => undefined).once('close', () => this.#closed(client));
    this.#context.link.tell({ type: 'have', client });
  }

  #startSending(number: number, feedNumber: number): void {
    const socket = this.#arrived.get(number);
    if (!socket) return;
    this.#arrived.delete(number);
    const feed = this.#feed(feedNumber);
    const counters = this.#reports.enter(number, () => undefined);
    const kick = (reason: string) => this.#end(number, reason);
    const client: ViewerClient = { counters, kick };
    const viewer = feed.audience.add(client, socket, { isWaiting: false, joinedAt: 0 });
    this.#served.set(number, { socket, client, feed, viewer, reason: 'closed by the peer' });
  }

  #sendWindow({ feed: number, region, place, bytes, frames, isEntry }: DeliveryEngineNote & { type: 'window' }): void {
    const feed = this.#feed(number);
    if (region !== feed.region) {
      feed.region = region;
      // The previous window was sent at once, so its region is not needed.
      this.#context.link.tell({ type: 'passed', feed: number, region });
    }
    if (!this.#file) return;
    feed.audience.serve({ bytes: SharedBytes.at(this.#file, place, bytes), frames, isEntry }, 0);
  }

  #answer({ client, head, place, bytes }: DeliveryEngineNote & { type: 'answer' }): void {
    const socket = this.#arrived.get(client);
    if (!socket || !this.#file) return;
    const answer = { head: Buffer.from(head, 'latin1'), place, bytes };
    this.#answers.send(socket, this.#file, answer, () => this.#context.link.tell({ type: 'sent', client }));
  }

  #reply(client: number, bytes: string): void {
    const served = this.#served.get(client);
    if (served && served.viewer.queue.waiting <= mostUnreadBytes)
      served.viewer.queue.write(Buffer.from(bytes, 'base64'));
  }

  #end(client: number, reason: string): void {
    if (this.#secure.end(client)) return;
    const served = this.#served.get(client);
    const socket = served?.socket ?? this.#arrived.get(client);
    if (served) served.reason = reason;
    if (socket) dropSocket(socket);
  }

  #closed(client: number): void {
    this.#arrived.delete(client);
    const served = this.#served.get(client);
    this.#served.delete(client);
    served?.feed.audience.delete(served.viewer);
    this.#reports.leave(client, served?.reason ?? 'closed by the peer');
  }

  #feed(number: number): Feed {
    const known = this.#feeds.get(number);
    if (known) return known;
    const feed = new Feed(() => this.#file?.file.calls);
    this.#feeds.set(number, feed);
    return feed;
  }

  #reportLoad(): void {
    if (!this.#file) return;
    for (const { client } of this.#served.values()) client.counters.behindMs = client.lag?.() ?? 0;
    const costs = [...this.#feeds].map(([number, { audience }]) => [number, audience.costMs] as const);
    this.#context.link.tell({ type: 'load', load: loopLoad.at(performance.now()), costs });
  }
}
