import type { Listen, Log } from '@weir/plane';
import { type StreamPlace, streamKey } from '@weir/streams';
import type { MirroredStream } from '../../../workers/worker/mirrored-streams.ts';
import type { RemoteAdmission } from '../../../workers/worker/remote-admission.ts';
import type { SrtWorkerSettings } from '../srt-notes.ts';
import { CallerFlood } from './callers/caller-flood.ts';
import { type CallerAccount, CallerLedger } from './callers/caller-ledger.ts';
import { judgeCaller, type Names, type SrtCaller, srtReject } from './callers/srt-caller.ts';
import { MemoryReturn } from './libsrt/memory-return.ts';
import type { SrtLibrary } from './libsrt/srt-library.ts';
import { SrtListener, type Verdict } from './libsrt/srt-listener.ts';
import { SrtPoll } from './libsrt/srt-poll.ts';
import type { SrtSocket } from './libsrt/srt-socket.ts';
import { SrtConnection, type SrtContext } from './srt-connection.ts';
import { SrtFanOut } from './srt-fan-out.ts';

const mostConnections = 4000;
const publisherIdleMs = 30_000;

interface Options {
  readonly library: SrtLibrary;
  readonly settings: SrtWorkerSettings;
  readonly names: Names;
  /** True if viewers of a missing stream may wait. */
  readonly canWait: () => boolean;
  readonly admission: RemoteAdmission;
  readonly log: Log;
}

/** Callers of the SRT port: judged, admitted, served and closed. */
export class SrtCallers {
  readonly #options: Options;
  readonly #context: SrtContext;
  readonly #connections = new Set<SrtConnection>();
  /** By the stream they publish or wait to publish. */
  readonly #publishers = new Map<string, Set<SrtConnection>>();
  readonly #fanOuts = new Map<MirroredStream, SrtFanOut>();
  readonly #flood = new CallerFlood((addresses) => this.#block(addresses));
  readonly #ledger: CallerLedger;
  readonly #memory = new MemoryReturn();
  #poll: SrtPoll | undefined;
  #listener: SrtListener | undefined;
  #isClosing = false;

  constructor(options: Options) {
    this.#options = options;
    const { admission, log, settings } = options;
    this.#ledger = new CallerLedger(settings.roomBytes);
    this.#context = { admission, log, publisherIdleMs, fanOutOf: (stream) => this.#fanOutOf(stream) };
  }

  /** Tells the port. Throws when it cannot be had. */
  async listen(listen: Listen): Promise<number> {
    const { library, settings, log } = this.#options;
    const poll = new SrtPoll(library, (error) => log.error({ err: error }, 'srt connection failed'));
    try {
      const listener = SrtListener.open(library, poll, { ...settings, listen });
      listener.accept({
        judge: (streamId, address) => this.#judge(streamId, address),
        onTurn: () => this.#ledger.dropExpected(),
        onCaller: (socket) => this.#begin(socket),
      });
      this.#poll = poll;
      this.#listener = listener;
      return listener.port;
    } catch (error) {
      await poll.close();
      throw error;
    }
  }

  async close(): Promise<void> {
    this.#isClosing = true;
    this.#memory.close();
    for (const connection of [...this.#connections]) connection.close('the server is stopping');
    await this.#listener?.close();
    await this.#poll?.close();
  }

  #judge(streamId: string, address: string): Verdict {
    this.#flood.note(address, performance.now());
    if (this.#isClosing) return srtReject.closing;
    if (this.#connections.size >= mostConnections) return srtReject.overloaded;
    const judged = this.#intentOf(streamId);
    if (typeof judged === 'number') return judged;
    return this.#ledger.expect(address, judged.wants) ? judged.wants : srtReject.overloaded;
  }

  #intentOf(streamId: string): SrtCaller | number {
    const { names, canWait } = this.#options;
    const isSilent = (place: StreamPlace) => this.#silentPublisherOf(place) !== undefined;
    return judgeCaller(streamId, { find: (place) => names.find(place), isSilent }, canWait());
  }

  #silentPublisherOf(place: StreamPlace): SrtConnection | undefined {
    const known = this.#publishers.get(streamKey(place)) ?? [];
    return [...known].find(({ isSilentPublisher }) => isSilentPublisher);
  }

  #block(addresses: readonly string[]): void {
    this.#listener?.block(addresses);
    if (addresses.length > 0)
      this.#options.log.warn({ addresses }, 'too many SRT connection attempts, ignoring these addresses for a while');
  }

  #begin(socket: SrtSocket): void {
    // Checked again, because another client may have taken the name since.
    const judged = this.#intentOf(socket.streamId);
    const isStill = typeof judged !== 'number' && (judged.wants === 'play' || socket.receivesMedia);
    const account = isStill ? this.#ledger.enter(socket.address, socket.window, judged.wants) : undefined;
    if (!isStill || this.#isClosing || !account) {
      void socket.close().then(() => this.#left(account));
      return;
    }
    socket.countOn(account);
    const connection = new SrtConnection(socket, this.#context, () => {
      this.#connections.delete(connection);
      this.#removePublisher(judged.place, connection);
      void socket.close().then(() => this.#left(account));
    });
    this.#connections.add(connection);
    const rival = judged.wants === 'publish' ? this.#silentPublisherOf(judged.place) : undefined;
    if (judged.wants === 'publish') this.#addPublisher(judged.place, connection);
    void connection.begin(judged, rival);
  }

  #left(account: CallerAccount | undefined): void {
    account?.leave();
    this.#memory.noteClosed();
  }

  #addPublisher(place: StreamPlace, connection: SrtConnection): void {
    const key = streamKey(place);
    const known = this.#publishers.get(key) ?? new Set();
    this.#publishers.set(key, known.add(connection));
  }

  #removePublisher(place: StreamPlace, connection: SrtConnection): void {
    const key = streamKey(place);
    const known = this.#publishers.get(key);
    if (known?.delete(connection) && known.size === 0) this.#publishers.delete(key);
  }

  #fanOutOf(stream: MirroredStream): SrtFanOut {
    const existing = this.#fanOuts.get(stream);
    if (existing) return existing;
    const created = new SrtFanOut(stream, () => this.#fanOuts.delete(stream));
    this.#fanOuts.set(stream, created);
    return created;
  }
}
