import type { Socket } from 'node:dgram';
import { isAbsolute } from 'node:path';
import type { ListenerState, WorkerExits } from '@weir/engine-api';
import type { Config, Listen, Log } from '@weir/plane';
import { errorMessage } from '@weir/plane/error-message';
import type { Admission } from '../../hub/clients/admission.ts';
import type { Hub, NameState } from '../../hub/hub.ts';
import type { Quality } from '../../hub/qualities/quality.ts';
import type { Stream, StreamView } from '../../hub/stream.ts';
import { EngineWorker } from '../../workers/engine/engine-worker.ts';
import { PendingAdmissions } from '../../workers/engine/pending-admissions.ts';
import type { ProtocolServer } from '../protocol-server.ts';
import { holdUdpPort, releaseUdpPort } from '../udp-port.ts';
import { isLibraryFileThere } from './srt-library-file.ts';
import type { SrtEngineNote, SrtWorkerNote, SrtWorkerSettings } from './srt-notes.ts';

const mostAtOnce = 500;

/** Sends changes of stream names to the worker, many in one message. */
class StreamNameSync {
  readonly #send: (note: SrtEngineNote) => void;
  readonly #stop: () => void;
  #changed = new Map<string, NameState>();

  constructor(hub: Hub, tell: (note: SrtEngineNote) => void) {
    this.#send = tell;
    this.#stop = hub.watch((key, state) => this.#note(key, state));
  }

  close(): void {
    this.#stop();
    this.#changed.clear();
  }

  #note(key: string, state: NameState): void {
    if (this.#changed.size === 0) queueMicrotask(() => this.#flush());
    this.#changed.set(key, state);
  }

  #flush(): void {
    const names = [...this.#changed];
    this.#changed.clear();
    for (let at = 0; at < names.length; at += mostAtOnce)
      this.#send({ type: 'names', names: names.slice(at, at + mostAtOnce) });
  }
}

interface SrtSettings {
  readonly listen: Listen;
  /** Callers must have the same one; empty = no encryption. */
  readonly passphrase: string;
  /** Path of libsrt; empty = where systems keep it. */
  readonly library: string;
  /** Drops handshakes in the kernel that would cost too much memory. */
  readonly isFiltered: boolean;
  /** Time to wait for missing packets of publishers, unless they ask for longer. */
  readonly latencyMs: number;
}

interface Options {
  readonly settings: SrtSettings;
  readonly hub: Hub;
  readonly admission: Admission;
  /** View of a stream for SRT viewers. */
  readonly viewOf: (stream: Stream, quality: Quality | undefined) => StreamView;
  readonly log: Log;
  readonly logLevel?: Config['logLevel'];
  /** Memory limit for all callers. */
  readonly roomBytes?: number;
}

type Failure = Extract<SrtWorkerNote, { type: 'failed' }>;

/** Publishing and playing over SRT in a worker process, started on demand. Where SRT is unavailable, `listener` says why. */
export class SrtServer implements ProtocolServer {
  readonly #options: Options;
  readonly #worker: EngineWorker<SrtWorkerNote, SrtEngineNote, SrtWorkerSettings>;
  readonly #asks: PendingAdmissions;
  #names: StreamNameSync | undefined;
  #sentWaiting: boolean | undefined;
  #listen: Listen;
  #holder: Socket | undefined;
  #state: ListenerState;
  #libraryVersion = '';
  #settled: PromiseWithResolvers<void> | undefined;
  #isClosing = false;

  constructor(options: Options) {
    this.#options = options;
    const { settings, log, logLevel = 'info', viewOf, admission, roomBytes } = options;
    const { listen, ...rest } = settings;
    this.#listen = listen;
    this.#state = { protocol: 'srt', port: 0, ready: false, note: '' };
    this.#worker = new EngineWorker({
      name: 'srt',
      roomBytes,
      viewOf,
      log,
      logLevel,
      settings: (room) => ({ ...rest, roomBytes: room }),
      isUsed: () => this.#worker.clients.size + this.#asks.size > 0,
      onNote: (note) => this.#onNote(note),
      onEnd: () => void this.#onEnd(),
    });
    const { clients } = this.#worker;
    this.#asks = new PendingAdmissions({ admission, clients, tell: (note) => this.#worker.tell(note) });
  }

  get listener(): ListenerState {
    return this.#state;
  }

  /** Version of libsrt; empty until it is loaded. */
  get libraryVersion(): string {
    return this.#libraryVersion;
  }

  get exits(): WorkerExits | undefined {
    return this.#worker.exits;
  }

  /**
   * The worker starts on demand; until then a plain socket holds the port. Callers repeat their first packet until it is answered, so
   * none is lost.
   */
  async open(): Promise<void> {
    const { library, isFiltered } = this.#options.settings;
    if (isFiltered && process.platform !== 'linux')
      this.#fail({
        type: 'failed',
        note: 'no-filter',
        reason: `packet filters are not available on ${process.platform}`,
      });
    else if (isLibraryFileThere(library)) await this.#hold();
    else await this.#tryLibrary();
  }

  async close(): Promise<void> {
    this.#isClosing = true;
    await this.#worker.close();
    await this.#release();
  }

  /** Holds the port with a plain socket until the first packet. */
  async #hold(): Promise<void> {
    let holder: Socket;
    try {
      holder = await holdUdpPort(this.#listen);
    } catch (error) {
      this.#fail({ type: 'failed', note: 'port-taken', reason: errorMessage(error) });
      return;
    }
    this.#holder = holder;
    if (this.#isClosing) return this.#release();
    const { port } = holder.address();
    this.#listen = { ...this.#listen, port };
    this.#state = { protocol: 'srt', port, ready: true, note: '' };
    holder.once('message', () => void this.#worker.start());
  }

  async #release(): Promise<void> {
    const holder = this.#holder;
    this.#holder = undefined;
    if (holder) await releaseUdpPort(holder);
  }

  /** libsrt is not at its usual path. Only loading shows if the system finds it elsewhere. */
  async #tryLibrary(): Promise<void> {
    const { library } = this.#options.settings;
    if (isAbsolute(library)) {
      this.#fail({ type: 'failed', note: 'no-library', reason: `${library} does not exist` });
      return;
    }
    this.#settled = Promise.withResolvers<void>();
    await this.#worker.start();
    await this.#settled.promise;
  }

  #onNote(note: SrtWorkerNote): void {
    switch (note.type) {
      case 'ready':
        this.#libraryVersion = note.version;
        void this.#handOverPort();
        return;
      case 'listening':
        this.#state = { protocol: 'srt', port: note.port, ready: true, note: '' };
        this.#options.log.debug({ libsrt: this.#libraryVersion, port: note.port }, 'srt listening');
        this.#settled?.resolve();
        return;
      case 'failed':
        this.#fail(note);
        void this.#worker.stop();
        return;
      case 'ask':
        void this.#asks.ask(note);
        return;
      case 'left':
        this.#asks.left(note.client);
        break;
      case 'report':
        this.#sendWaiting();
    }
    this.#worker.onNote(note);
  }

  /** The process is there with libsrt loaded: the port is without an owner for as short as can be. */
  async #handOverPort(): Promise<void> {
    this.#sentWaiting = undefined;
    this.#sendWaiting();
    this.#names = new StreamNameSync(this.#options.hub, (note) => this.#worker.tell(note));
    await this.#release();
    this.#worker.tell({ type: 'listen', listen: this.#listen });
  }

  async #onEnd(): Promise<void> {
    this.#names?.close();
    this.#asks.lose();
    this.#worker.clients.lose('the SRT process ended');
    this.#settled?.resolve();
    // The next who calls has it started again.
    if (!this.#isClosing && this.#state.ready) await this.#hold();
  }

  #sendWaiting(): void {
    const isOpen = this.#options.admission.canWait;
    if (isOpen === this.#sentWaiting) return;
    this.#sentWaiting = isOpen;
    this.#worker.tell({ type: 'waiting', isOpen });
  }

  #fail({ note, reason }: Failure): void {
    const { port } = this.#listen;
    this.#state = { protocol: 'srt', port, ready: false, note };
    this.#options.log.warn({ port, reason }, failures[note]);
    this.#settled?.resolve();
  }
}

const failures: Readonly<Record<Failure['note'], string>> = {
  'no-library': 'SRT is unavailable: install libsrt, or set WEIR_SRT_LIBRARY to its path',
  'no-filter': 'SRT is off: this system cannot protect it from abuse, see WEIR_SRT_FILTER',
  'port-taken': 'SRT is unavailable: its port could not be opened, check WEIR_SRT_LISTEN',
};
