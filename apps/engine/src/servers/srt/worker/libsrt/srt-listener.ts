import type { Listen } from '@weir/plane';
import { messageBytes } from '../ts-batches.ts';
import type { FilteredSocket } from './filtered-socket.ts';
import { mostUnconfirmed } from './send-window.ts';
import { readSocketAddress, writeSocketAddress } from './srt-address.ts';
import { playerReceiveBytes } from './srt-facts.ts';
import { type SrtLibrary, srtEvent, srtOption } from './srt-library.ts';
import type { SrtPoll } from './srt-poll.ts';
import { peerIdleMs, SrtSocket } from './srt-socket.ts';

const backlog = 512;
/** Size of a packet in libsrt's buffers. */
const packetBytes = 1456;

/** Packets on their way or under repair: 4 MB. libsrt keeps lists of this length for each connection. */
const mostInFlight = 3072;

/** libsrt's values for every connection; why, is in the decision record about SRT. */
const options: readonly (readonly [number, number | bigint | boolean])[] = [
  [srtOption.rcvSyn, false],
  [srtOption.sndSyn, false],
  [srtOption.maxBw, 1_000_000_000n],
  [srtOption.connTimeo, 4000],
  [srtOption.rcvLatency, 20],
  [srtOption.peerLatency, 20],
  [srtOption.tsbpdMode, false],
  [srtOption.tlPktDrop, false],
  [srtOption.payloadSize, messageBytes],
  [srtOption.peerIdleTimeo, peerIdleMs],
  [srtOption.fc, mostInFlight],
  [srtOption.rcvBuf, mostInFlight * packetBytes],
  [srtOption.sndBuf, mostUnconfirmed * packetBytes],
  // Older ones cannot send a stream id.
  [srtOption.minVersion, 0x010300],
];

/**
 * Options for publishers: packets are delivered by time and in order, and missing ones are given up at both ends.
 * Otherwise a line that is too narrow would carry nothing but retransmissions.
 */
const publisherOptions: readonly (readonly [number, boolean])[] = [
  [srtOption.tsbpdMode, true],
  [srtOption.tlPktDrop, true],
];

/**
 * Options of players. They send nothing, so that small receive buffers suffice. Late packets are dropped at frame
 * boundaries before libsrt gets them, because libsrt would drop the middle of a frame.
 */
const playerOptions: readonly (readonly [number, number])[] = [
  [srtOption.rcvBuf, playerReceiveBytes],
  [srtOption.fc, 32],
  [srtOption.sndDropDelay, -1],
];

/** A reject reason of SRT access control, or what the caller may do. */
export type Verdict = number | 'publish' | 'play';

interface CallerEvents {
  readonly judge: (streamId: string, address: string) => Verdict;
  readonly onTurn: () => void;
  readonly onCaller: (socket: SrtSocket) => void;
}

interface PortSettings {
  readonly listen: Listen;
  readonly passphrase: string;
  /** True if the kernel drops handshakes beyond the limits. */
  readonly isFiltered: boolean;
  /** Minimum time to wait for missing packets of publishers. */
  readonly latencyMs: number;
}

/** The one UDP port that everybody calls. */
export class SrtListener {
  readonly port: number;
  readonly #library: SrtLibrary;
  readonly #poll: SrtPoll;
  readonly #socket: number;
  readonly #filter: FilteredSocket | undefined;
  readonly #from = Buffer.alloc(128);
  readonly #latencyMs: number;
  #isClosed = false;

  private constructor(library: SrtLibrary, poll: SrtPoll, { socket, filter }: Bound, latencyMs: number) {
    this.#library = library;
    this.#poll = poll;
    this.#socket = socket;
    this.#filter = filter;
    this.#latencyMs = latencyMs;
    this.port = readSocketAddress(library.addressOf(socket)).port;
  }

  /** Throws when the port cannot be had. */
  static open(library: SrtLibrary, poll: SrtPoll, settings: PortSettings): SrtListener {
    const place = bound(library, settings);
    try {
      return new SrtListener(library, poll, place, settings.latencyMs);
    } catch (error) {
      void library.close(place.socket);
      throw error;
    }
  }

  /** `onTurn` is called before all that wait are accepted. */
  accept({ judge, onTurn, onCaller }: CallerEvents): void {
    const acceptAll = () => {
      if (this.#isClosed) return;
      onTurn();
      for (let socket = this.#next(); socket >= 0; socket = this.#next()) {
        const caller = this.#socketOf(socket);
        if (caller) onCaller(caller);
      }
    };
    this.#library.listen(this.#socket, backlog, (streamId, address, caller) => {
      this.#poll.stir();
      // Accepts pending callers at once, so that few occupy libsrt's queue and the memory they claim.
      this.#poll.soon(acceptAll);
      const verdict = judge(streamId, address);
      if (typeof verdict === 'number') return verdict;
      this.#prepare(caller, verdict);
      return 0;
    });
    this.#poll.watch(this.#socket, srtEvent.in, acceptAll);
  }

  /** Handshakes of these addresses are not heard, where there is a filter. */
  block(addresses: readonly string[]): void {
    // The number of a descriptor that was closed may be another's.
    if (!this.#isClosed) this.#filter?.block(addresses);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#poll.unwatch(this.#socket);
    await this.#library.close(this.#socket);
  }

  #prepare(caller: number, wants: 'publish' | 'play'): void {
    const differing = wants === 'publish' ? publisherOptions : playerOptions;
    for (const [option, value] of differing) this.#library.setOption(caller, option, value);
    if (wants === 'publish') this.#library.setOption(caller, srtOption.rcvLatency, this.#latencyMs);
  }

  /** Undefined if the caller is gone. */
  #socketOf(socket: number): SrtSocket | undefined {
    try {
      return new SrtSocket(this.#library, this.#poll, socket, readSocketAddress(this.#from).address);
    } catch {
      void this.#library.close(socket);
      return undefined;
    }
  }

  #next(): number {
    return this.#library.accept(this.#socket, this.#from);
  }
}

interface Bound {
  readonly socket: number;
  readonly filter: FilteredSocket | undefined;
}

/** Without a host: IPv6 with IPv4 included, or IPv4 on a machine without IPv6. */
function bound(library: SrtLibrary, port: PortSettings): Bound {
  const { host } = port.listen;
  if (host !== undefined) return boundTo(library, host, port);
  try {
    return boundTo(library, '::', port);
  } catch {
    return boundTo(library, '0.0.0.0', port);
  }
}

function boundTo(library: SrtLibrary, address: string, { listen, passphrase, isFiltered }: PortSettings): Bound {
  const socket = library.createSocket();
  try {
    for (const [option, value] of options) library.setOption(socket, option, value);
    if (passphrase !== '') library.setOption(socket, srtOption.passphrase, passphrase);
    const isV6Only = address !== '::';
    if (address.includes(':')) library.setOption(socket, srtOption.ipv6Only, isV6Only);
    const where = writeSocketAddress(address, listen.port);
    if (isFiltered) return { socket, filter: library.bindFiltered(socket, where, isV6Only) };
    library.bind(socket, where);
    return { socket, filter: undefined };
  } catch (error) {
    void library.close(socket);
    throw error;
  }
}
