import type { Socket } from 'node:dgram';
import { totalmem } from 'node:os';
import type { Listen, Log } from '@weir/plane';
import type { Admission } from '../../hub/clients/admission.ts';
import type { Hub } from '../../hub/hub.ts';
import type { Stream, StreamView } from '../../hub/stream.ts';
import type { ListenerState, ProtocolServer } from '../protocol-server.ts';
import { holdUdpPort, releaseUdpPort } from '../udp-port.ts';
import { CallerFlood } from './callers/caller-flood.ts';
import { CallerLedger } from './callers/caller-ledger.ts';
import { judgeCaller, srtReject } from './callers/srt-caller.ts';
import { hasFilter, NoFilter } from './libsrt/filtered-socket.ts';
import { loadSrtLibrary, type SrtLibrary } from './libsrt/srt-library.ts';
import { isLibraryFileThere } from './libsrt/srt-library-file.ts';
import { SrtListener } from './libsrt/srt-listener.ts';
import { SrtPoll } from './libsrt/srt-poll.ts';
import type { SrtSocket } from './libsrt/srt-socket.ts';
import { SrtConnection, type SrtContext } from './srt-connection.ts';
import { SrtFanOut } from './srt-fan-out.ts';

const mostConnections = 4000;
/** Of the machine's memory, or of what our container may use. */
const shareOfMemory = 1 / 4;
const publisherIdleMs = 30_000;

interface SrtSettings {
  readonly listen: Listen;
  /** Callers must have the same one; empty = no encryption. */
  readonly passphrase: string;
  /** Path of libsrt; empty = where systems keep it. */
  readonly library: string;
  /** Whether the kernel is to drop handshakes that would cost too much memory. */
  readonly isFiltered: boolean;
}

interface Options {
  readonly settings: SrtSettings;
  readonly hub: Hub;
  readonly admission: Admission;
  /** What SRT viewers see of a stream. */
  readonly viewOf: (stream: Stream) => StreamView;
  readonly log: Log;
}

/** Publish and play by SRT. Where it cannot be served everything else is, and `listener` says why. */
export class SrtServer implements ProtocolServer {
  readonly #options: Options;
  readonly #context: SrtContext;
  readonly #connections = new Set<SrtConnection>();
  readonly #fanOuts = new Map<Stream, SrtFanOut>();
  readonly #flood = new CallerFlood((addresses) => this.#block(addresses));
  readonly #ledger = new CallerLedger(Math.min(totalmem(), process.constrainedMemory() || totalmem()) * shareOfMemory);
  #poll: SrtPoll | undefined;
  #listening: SrtListener | undefined;
  #holder: Socket | undefined;
  #starting: Promise<void> | undefined;
  #state: ListenerState = { protocol: 'srt', port: 0, ready: false, note: '' };
  #libraryVersion = '';
  #isClosing = false;

  constructor(options: Options) {
    this.#options = options;
    const { admission, log } = options;
    this.#context = { admission, log, publisherIdleMs, fanOutOf: (stream) => this.#fanOutOf(stream) };
  }

  get listener(): ListenerState {
    return this.#state;
  }

  /** Of libsrt; empty until it is loaded. */
  get libraryVersion(): string {
    return this.#libraryVersion;
  }

  /**
   * libsrt is loaded when somebody calls: until then a plain socket holds the port. A caller repeats its first packet
   * until it is answered, so that nothing is lost with it.
   */
  async open(): Promise<void> {
    const { settings } = this.#options;
    if (settings.isFiltered && !hasFilter) {
      this.#tellUnfiltered(settings.listen.port, new NoFilter(`there is none on ${process.platform}`));
      return;
    }
    if (!isLibraryFileThere(settings.library)) {
      await this.#start(settings);
      return;
    }
    let holder: Socket;
    try {
      holder = await holdUdpPort(settings.listen);
    } catch (error) {
      this.#tellTaken(settings.listen.port, error);
      return;
    }
    this.#holder = holder;
    const { port } = holder.address();
    this.#state = { protocol: 'srt', port, ready: true, note: '' };
    holder.once('message', () => {
      this.#starting = this.#takeOver(holder, { ...settings, listen: { ...settings.listen, port } });
    });
  }

  async #takeOver(holder: Socket, settings: SrtSettings): Promise<void> {
    // Loaded first: the port is without an owner for as short as can be.
    await loadSrtLibrary(settings.library).catch(() => undefined);
    if (this.#isClosing) return;
    this.#holder = undefined;
    await releaseUdpPort(holder);
    await this.#start(settings);
  }

  async #start(settings: SrtSettings): Promise<void> {
    const { log } = this.#options;
    const { port } = settings.listen;
    let library: SrtLibrary;
    try {
      library = await loadSrtLibrary(settings.library);
      this.#libraryVersion = library.version;
    } catch (error) {
      this.#state = { protocol: 'srt', port, ready: false, note: 'no-library' };
      log.warn({ reason: textOf(error) }, 'SRT is unavailable: install libsrt, or set WEIR_SRT_LIBRARY to its path');
      return;
    }
    try {
      this.#listen(library, settings);
    } catch (error) {
      await this.#poll?.close();
      if (error instanceof NoFilter) this.#tellUnfiltered(port, error);
      else this.#tellTaken(port, error);
    }
  }

  #tellTaken(port: number, error: unknown): void {
    this.#state = { protocol: 'srt', port, ready: false, note: 'port-taken' };
    const facts = { port, reason: textOf(error) };
    this.#options.log.warn(facts, 'SRT is unavailable: its port could not be opened, check WEIR_SRT_LISTEN');
  }

  #tellUnfiltered(port: number, error: NoFilter): void {
    this.#state = { protocol: 'srt', port, ready: false, note: 'no-filter' };
    const facts = { port, reason: error.message };
    this.#options.log.warn(facts, 'SRT is off: this system cannot protect it from abuse, see WEIR_SRT_FILTER');
  }

  async close(): Promise<void> {
    this.#isClosing = true;
    await this.#starting;
    if (this.#holder) await releaseUdpPort(this.#holder);
    this.#holder = undefined;
    for (const connection of [...this.#connections]) connection.close('the server stops');
    await this.#listening?.close();
    await this.#poll?.close();
  }

  #listen(library: SrtLibrary, settings: SrtSettings): void {
    const { log } = this.#options;
    const poll = new SrtPoll(library, (error) => log.error({ err: error }, 'srt connection failed'));
    this.#poll = poll;
    const listener = SrtListener.open(library, poll, settings);
    this.#listening = listener;
    listener.accept({
      judge: (streamId, address) => this.#judge(streamId, address),
      onTurn: () => this.#ledger.forgetExpected(),
      onCaller: (socket) => this.#begin(socket),
    });
    this.#state = { protocol: 'srt', port: listener.port, ready: true, note: '' };
    log.debug({ libsrt: library.version, port: listener.port }, 'srt listens');
  }

  #judge(streamId: string, address: string): number {
    this.#flood.note(address, performance.now());
    if (this.#isClosing) return srtReject.closing;
    if (this.#connections.size >= mostConnections) return srtReject.overloaded;
    const judged = judgeCaller(streamId, this.#options.hub, this.#options.admission.canWait);
    if (typeof judged === 'number') return judged;
    return this.#ledger.expect(address) ? 0 : srtReject.overloaded;
  }

  #block(addresses: readonly string[]): void {
    this.#listening?.block(addresses);
    if (addresses.length > 0)
      this.#options.log.warn({ addresses }, 'too many SRT connection attempts, ignoring these addresses for a while');
  }

  #begin(socket: SrtSocket): void {
    // Once more: since it was let in, somebody else may have taken the name.
    const judged = judgeCaller(socket.streamId, this.#options.hub, this.#options.admission.canWait);
    const leave = this.#ledger.enter(socket.address, socket.window);
    if (typeof judged === 'number' || this.#isClosing || !leave) {
      void socket.close().then(leave);
      return;
    }
    const connection = new SrtConnection(socket, this.#context, () => {
      this.#connections.delete(connection);
      void socket.close().then(leave);
    });
    this.#connections.add(connection);
    void connection.begin(judged);
  }

  #fanOutOf(stream: Stream): SrtFanOut {
    const existing = this.#fanOuts.get(stream);
    if (existing) return existing;
    const created = new SrtFanOut(this.#options.viewOf(stream), {
      bytesOut: stream.stats.bytesOut,
      onEmpty: () => this.#fanOuts.delete(stream),
    });
    this.#fanOuts.set(stream, created);
    return created;
  }
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
