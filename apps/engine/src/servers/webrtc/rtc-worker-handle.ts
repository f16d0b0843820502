import type { ListenerState, WorkerExits } from '@weir/engine-api';
import type { Config, Listen, Log } from '@weir/plane';
import type { AdmittedPublisher, AdmittedViewer } from '../../hub/clients/admission.ts';
import type { Stream, StreamView } from '../../hub/stream.ts';
import { EngineWorker } from '../../workers/engine/engine-worker.ts';
import type {
  BeginPlay,
  BeginPublish,
  BeginTest,
  RtcEngineNote,
  RtcWorkerNote,
  RtcWorkerSettings,
} from './rtc-notes.ts';
import { RtcSession } from './rtc-session.ts';
import type { TransportFacts } from './transport/rtc-transport.ts';
import { WebRtcPort } from './transport/webrtc-port.ts';

export interface RtcLineOptions {
  readonly listen: Listen;
  readonly transport: Config['rtcTransport'];
  readonly viewOf: (stream: Stream) => StreamView;
  /** A viewer there needs a keyframe of this stream, whose publisher is somewhere else. */
  readonly onKeyframe: (key: string) => void;
  readonly log: Log;
  readonly logLevel: Config['logLevel'];
}

/** Error of requests whose worker process ended. */
export class WorkerLost extends Error {
  override readonly name = 'LineLost';
}

type Reply = Extract<RtcWorkerNote, { type: 'reserved' | 'begun' }>;

/** Handle of one WebRTC worker process with its port. */
export class RtcWorkerHandle {
  readonly #options: RtcLineOptions;
  /** Closed by the process that has it. */
  readonly #port: WebRtcPort<{ close(): void }>;
  readonly #worker: EngineWorker<RtcWorkerNote, RtcEngineNote, RtcWorkerSettings>;
  readonly #sessions = new Map<number, RtcSession>();
  readonly #replies = new Map<number, PromiseWithResolvers<Reply>>();
  #listening: PromiseWithResolvers<void> | undefined;
  #last = 0;
  #isClosing = false;

  constructor(options: RtcLineOptions) {
    this.#options = options;
    const { transport, log, logLevel, viewOf } = options;
    this.#port = new WebRtcPort(log, (listen) => this.#open(listen));
    this.#worker = new EngineWorker({
      name: 'rtc',
      viewOf,
      qualities: 'all',
      log,
      logLevel,
      settings: () => ({ transport }),
      isUsed: () => this.#sessions.size > 0,
      onNote: (note) => this.#onNote(note),
      onEnd: () => void this.#onEnd(),
    });
  }

  get listener(): ListenerState {
    return this.#port.state;
  }

  get exits(): WorkerExits | undefined {
    return this.#worker.exits;
  }

  /** Sessions there. */
  get load(): number {
    return this.#sessions.size;
  }

  async open(): Promise<void> {
    await this.#port.open(this.#options.listen);
  }

  async close(): Promise<void> {
    this.#isClosing = true;
    await this.#worker.close();
    await this.#port.close();
  }

  /** Reserves a place for a new session; undefined at the limit. Starts the process if needed. */
  async reserve(address: string, iceUfrag: string): Promise<RtcSession | undefined> {
    await this.#port.use();
    this.#last += 1;
    const client = this.#last;
    const session = new RtcSession(client, iceUfrag, (reason) => this.#worker.tell({ type: 'end', client, reason }));
    this.#sessions.set(client, session);
    const reply = await this.#request(client, { type: 'reserve', client, id: session.id, address });
    if (reply.type === 'reserved' && reply.hasRoom) return session;
    this.#remove(client);
    return undefined;
  }

  find(id: string, token: string): RtcSession | undefined {
    for (const session of this.#sessions.values())
      if (session.id === id && !session.isClosed) return session.isOwnedBy(token) ? session : undefined;
    return undefined;
  }

  publish(admitted: AdmittedPublisher, begin: Omit<BeginPublish, 'type'>): Promise<TransportFacts> {
    this.#worker.clients.publish(begin.client, admitted);
    // An input of a program has another key than its address.
    return this.#begin({ type: 'publish', ...begin, key: admitted.entry.key });
  }

  play(admitted: AdmittedViewer, begin: Omit<BeginPlay, 'type' | 'feed'>): Promise<TransportFacts> {
    let feed: number;
    try {
      feed = this.#worker.clients.play(begin.client, admitted);
    } catch (error) {
      admitted.leave();
      throw error;
    }
    return this.#begin({ type: 'play', ...begin, feed });
  }

  test(begin: Omit<BeginTest, 'type'>): Promise<TransportFacts> {
    return this.#begin({ type: 'test', ...begin });
  }

  /** `quality`: the only one that is sent from now on, empty for the best; undefined for what fits. */
  chooseQuality(client: number, quality: string | undefined): void {
    this.#worker.tell({ type: 'quality', client, quality });
  }

  factsOf(client: number, isGlance?: boolean): Readonly<Record<string, number>> | undefined {
    return this.#worker.clients.factsOf(client, isGlance);
  }

  requestKeyframe(key: string): void {
    this.#worker.tell({ type: 'keyframe', key });
  }

  /** The port in the hands of the process. */
  async #open(listen: Listen): Promise<{ close(): void }> {
    const listening = Promise.withResolvers<void>();
    this.#listening = listening;
    // Waiting callers see the rejection; the next call tries again.
    listening.promise.catch(() => undefined);
    await this.#worker.start();
    this.#worker.tell({ type: 'listen', listen });
    await listening.promise;
    return { close: () => undefined };
  }

  async #begin(note: BeginPublish | BeginPlay | BeginTest): Promise<TransportFacts> {
    const reply = await this.#request(note.client, note);
    if (reply.type !== 'begun' || !reply.facts) throw new WorkerLost('the session could not start');
    return reply.facts;
  }

  #request(client: number, note: RtcEngineNote): Promise<Reply> {
    const reply = Promise.withResolvers<Reply>();
    this.#replies.set(client, reply);
    this.#worker.tell(note);
    return reply.promise.finally(() => this.#replies.delete(client));
  }

  #onNote(note: RtcWorkerNote): void {
    switch (note.type) {
      case 'listening':
        this.#listening?.resolve();
        return;
      case 'failed':
        this.#listening?.reject(new Error(note.reason));
        void this.#worker.stop();
        return;
      case 'reserved':
      case 'begun':
        this.#replies.get(note.client)?.resolve(note);
        return;
      case 'keyframe':
        this.#options.onKeyframe(note.key);
        return;
      default:
        this.#worker.onNote(note);
        if (note.type === 'left') this.#remove(note.client);
    }
  }

  async #onEnd(): Promise<void> {
    const lost = new WorkerLost('the WebRTC process ended');
    this.#listening?.reject(lost);
    for (const reply of this.#replies.values()) reply.reject(lost);
    this.#worker.clients.lose(lost.message);
    const wasUsed = this.#sessions.size > 0;
    for (const client of [...this.#sessions.keys()]) this.#remove(client);
    if (this.#isClosing) return;
    await this.#port.lost();
    // Clients return soon. Otherwise the next offer starts it again.
    if (wasUsed) await this.#port.use().catch(() => undefined);
  }

  #remove(client: number): void {
    this.#sessions.get(client)?.end();
    this.#sessions.delete(client);
  }
}
