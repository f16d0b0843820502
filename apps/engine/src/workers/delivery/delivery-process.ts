import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import type { WorkerExits } from '@weir/engine-api';
import type { Config, Log } from '@weir/plane';
import type { AnswerSeat } from '../../delivery/answer-seat.ts';
import type { FileRegion } from '../../delivery/memory-file.ts';
import type { SecureSettings } from '../../delivery/secure-options.ts';
import type { SharedBytes } from '../../delivery/shared-bytes.ts';
import type { SharedMemory } from '../../delivery/shared-memory.ts';
import type { ClientCounters } from '../../hub/clients/client-info.ts';
import type { Seat, SecureSeat } from '../../hub/fan-out/delivery.ts';
import type { Viewer } from '../../hub/fan-out/viewer.ts';
import type { RateMeter } from '../../hub/rate-meter.ts';
import { WorkerProcess } from '../engine/worker-process.ts';
import type { BootNote } from '../worker/run-worker.ts';
import type { DeliveryEngineNote, DeliveryWorkerNote } from './delivery-notes.ts';
import { ProcessFeed } from './process-feed.ts';

/** Load from which a process gets no more viewers. */
const fullFrom = 0.9;

interface Options {
  readonly memory: SharedMemory;
  /** Limit of memory for unread bytes of its viewers. */
  readonly roomBytes: number;
  readonly log: Log;
  readonly logLevel: Config['logLevel'];
}

type Boot = BootNote<Record<string, never>>;

/** Engine side of a delivery worker: its process, and the viewers whose connections it shares. */
export class DeliveryProcess {
  readonly #process: WorkerProcess<DeliveryWorkerNote, DeliveryEngineNote | Boot>;
  readonly #seats = new Map<number, ProcessSeat>();
  readonly #answers = new Map<number, ProcessAnswers>();
  readonly #feeds = new Map<number, ProcessFeed>();
  /** Connections that it speaks TLS for; what ends them here. */
  readonly #secure = new Map<number, () => void>();
  #settings: SecureSettings | undefined;
  #isSecure = false;
  #load: number | undefined;
  #last = 0;
  #isStarting = false;

  constructor({ memory, roomBytes, log, logLevel }: Options) {
    this.#process = new WorkerProcess({
      name: 'delivery',
      roomBytes,
      log,
      boot: { type: 'boot', logLevel, settings: {} },
      shared: () => memory.file?.descriptor,
      isUsed: () => this.viewers > 0,
      onNote: (note) => this.#onNote(note),
      onFrame: () => undefined,
      onEnd: () => this.#ended(),
    });
  }

  get exits(): WorkerExits | undefined {
    return this.#process.exits;
  }

  get viewers(): number {
    return this.#seats.size + this.#answers.size + this.#secure.size;
  }

  /** Undefined while there is no process that can send. */
  get load(): number | undefined {
    return this.#load;
  }

  get hasRoom(): boolean {
    return this.#load !== undefined && this.#load < fullFrom;
  }

  /** Starts the process; after a crash, once the pause is over. */
  start(): void {
    if (this.#isStarting || this.#load !== undefined) return;
    this.#isStarting = true;
    void this.#process.start();
  }

  close(): Promise<void> {
    return this.#process.close();
  }

  send(note: DeliveryEngineNote): void {
    this.#process.tell(note);
  }

  openFeed(bytesOut: RateMeter): ProcessFeed {
    this.#last += 1;
    const feed = new ProcessFeed(this.#last, bytesOut, this);
    this.#feeds.set(feed.number, feed);
    return feed;
  }

  /** Undefined for a closed connection. */
  share(viewer: Viewer, feed: () => ProcessFeed, onLost: (reason: string) => void): Seat | undefined {
    const handle: unknown = Reflect.get(viewer.socket, '_handle');
    if (!handle) return undefined;
    this.#last += 1;
    const client = this.#last;
    const onLeft = () => this.#seats.delete(client);
    const seat = new ProcessSeat({ client, viewer, feed, onLost, onLeft, process: this });
    this.#seats.set(client, seat);
    this.#process.give({ client }, handle);
    return seat;
  }

  /** Undefined for a closed connection. */
  shareAsking(socket: Socket, onLost: (isInAnswer: boolean) => void): AnswerSeat | undefined {
    const handle: unknown = Reflect.get(socket, '_handle');
    if (!handle) return undefined;
    this.#last += 1;
    const client = this.#last;
    const send = (note: DeliveryEngineNote) => this.send(note);
    const seat = new ProcessAnswers({ client, send, onLost, onLeft: () => this.#answers.delete(client) });
    this.#answers.set(client, seat);
    this.#process.give({ client }, handle);
    return seat;
  }

  setSecure(settings: SecureSettings): void {
    this.#settings = settings;
    if (this.#load !== undefined) this.send({ type: 'certificate', ...settings });
  }

  /** Undefined for a closed connection, and before the process can speak TLS. */
  shareSecure(raw: Socket, onLost: () => void): SecureSeat | undefined {
    const handle: unknown = Reflect.get(raw, '_handle');
    if (!handle || !this.#isSecure) return undefined;
    this.#last += 1;
    const client = this.#last;
    const name = randomUUID();
    this.#secure.set(client, onLost);
    this.#process.give({ client, secureName: name }, handle);
    const leave = () => {
      if (this.#secure.delete(client)) this.send({ type: 'end', client, reason: 'gone' });
    };
    return { name, leave };
  }

  #onNote(note: DeliveryWorkerNote): void {
    switch (note.type) {
      case 'have':
        this.#arrived(note.client);
        return;
      case 'load':
        this.#isStarting = false;
        if (this.#load === undefined && this.#settings) this.send({ type: 'certificate', ...this.#settings });
        this.#load = note.load;
        for (const [number, costMs] of note.costs) this.#feeds.get(number)?.setCost(costMs);
        return;
      case 'secure':
        this.#isSecure = true;
        return;
      case 'passed':
        this.#feeds.get(note.feed)?.releaseBefore(note.region);
        return;
      case 'shut':
        this.#feeds.get(note.feed)?.releaseAll();
        this.#feeds.delete(note.feed);
        return;
      case 'report':
        for (const [client, counters] of note.rows) this.#seats.get(client)?.countSent(counters);
        return;
      case 'sent':
        this.#answers.get(note.client)?.sent();
        return;
      case 'left':
        this.#seats.get(note.client)?.lose(note.reason, note.counters);
        this.#answers.get(note.client)?.lose();
        this.#loseSecure(note.client);
    }
  }

  #loseSecure(client: number): void {
    const onLost = this.#secure.get(client);
    this.#secure.delete(client);
    onLost?.();
  }

  /** Marks a connection as received. Its viewer may have left meanwhile. */
  #arrived(client: number): void {
    const seat = this.#seats.get(client) ?? this.#answers.get(client);
    if (seat) seat.markReady();
    else this.send({ type: 'end', client, reason: 'gone' });
  }

  /** Disconnects its viewers, which then reconnect. Viewers that were not handed over yet stay. */
  #ended(): void {
    this.#isStarting = false;
    this.#load = undefined;
    this.#isSecure = false;
    const feeds = [...this.#feeds.values()];
    this.#feeds.clear();
    for (const seat of [...this.#seats.values()]) seat.lose('a delivery process ended');
    for (const seat of [...this.#answers.values()]) seat.lose();
    for (const client of [...this.#secure.keys()]) this.#loseSecure(client);
    for (const feed of feeds) feed.releaseAll();
  }
}

interface SeatOptions {
  readonly client: number;
  readonly viewer: Viewer;
  readonly feed: () => ProcessFeed;
  readonly process: DeliveryProcess;
  readonly onLost: (reason: string) => void;
  readonly onLeft: () => void;
}

class ProcessSeat implements Seat {
  readonly #options: SeatOptions;
  #feed: ProcessFeed | undefined;
  #isReady = false;
  #isOver = false;
  /** Counters of the viewer when it was handed over. */
  #before: ClientCounters = { bytesIn: 0, bytesOut: 0, droppedFrames: 0 };
  #counted = 0;

  constructor(options: SeatOptions) {
    this.#options = options;
  }

  get isReady(): boolean {
    return this.#isReady;
  }

  markReady(): void {
    this.#isReady = true;
  }

  startSending(): void {
    const { client, viewer, process, feed } = this.#options;
    this.#feed = feed();
    this.#feed.viewers += 1;
    this.#before = { ...viewer.client.counters };
    const { counters } = viewer.client;
    viewer.client.lag = () => counters.behindMs;
    process.send({ type: 'take', client, feed: this.#feed.number });
  }

  reply(bytes: Buffer): void {
    const { client, process } = this.#options;
    process.send({ type: 'reply', client, bytes: bytes.toString('base64') });
  }

  leave(): void {
    if (this.#isOver) return;
    this.#end();
    const { client, process } = this.#options;
    if (this.#isReady) process.send({ type: 'end', client, reason: 'gone' });
  }

  /** Adds the counters since the viewer was handed over. */
  countSent({ bytesOut, droppedFrames, behindMs }: ClientCounters): void {
    const { counters } = this.#options.viewer.client;
    this.#feed?.bytesOut.add(Math.max(0, bytesOut - this.#counted));
    this.#counted = bytesOut;
    counters.bytesOut = this.#before.bytesOut + bytesOut;
    counters.droppedFrames = this.#before.droppedFrames + droppedFrames;
    counters.behindMs = behindMs ?? 0;
  }

  /** The connection is gone there, or the process is. */
  lose(reason: string, counters?: ClientCounters): void {
    if (this.#isOver) return;
    if (counters) this.countSent(counters);
    this.#end();
    this.#options.onLost(reason);
  }

  #end(): void {
    this.#isOver = true;
    this.#options.onLeft();
    const feed = this.#feed;
    if (!feed) return;
    feed.viewers -= 1;
    if (feed.viewers === 0) feed.shut();
  }
}

interface AnswersOptions {
  readonly client: number;
  readonly send: (note: DeliveryEngineNote) => void;
  readonly onLost: (isInAnswer: boolean) => void;
  readonly onLeft: () => void;
}

/** Engine side of a connection whose answers a delivery process sends, one at a time. */
class ProcessAnswers implements AnswerSeat {
  readonly #options: AnswersOptions;
  #isReady = false;
  #isOver = false;
  /** Answer that is being sent. Its memory is kept until then. */
  #current: { readonly region: FileRegion; readonly onSent: () => void } | undefined;

  constructor(options: AnswersOptions) {
    this.#options = options;
  }

  markReady(): void {
    this.#isReady = true;
  }

  send(head: Buffer, bytes: SharedBytes, onSent: () => void): boolean {
    const { stored, length } = bytes;
    if (!this.#isReady || this.#isOver || this.#current || !stored) return false;
    const { region, place } = stored;
    region.hold();
    this.#current = { region, onSent };
    const { client, send } = this.#options;
    send({ type: 'answer', client, head: head.toString('latin1'), place, bytes: length });
    return true;
  }

  sent(): void {
    const current = this.#current;
    this.#current = undefined;
    current?.region.release();
    if (!this.#isOver) current?.onSent();
  }

  /** Keeps the memory of the answer until the process confirms that it no longer has the connection, because it may still read it. */
  leave(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    const { client, send, onLeft } = this.#options;
    if (this.#isReady) send({ type: 'end', client, reason: 'gone' });
    else onLeft();
  }

  /** The connection is gone there, or the process is. */
  lose(): void {
    const isInAnswer = this.#current !== undefined;
    this.#current?.region.release();
    this.#current = undefined;
    this.#options.onLeft();
    if (this.#isOver) return;
    this.#isOver = true;
    this.#options.onLost(isInAnswer);
  }
}
