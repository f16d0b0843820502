import type { Listen } from '@weir/plane';
import { readSocketAddress, writeSocketAddress } from './srt-address.ts';
import { type JudgeCaller, type SrtLibrary, srtEvent, srtOption } from './srt-library.ts';
import type { SrtPoll } from './srt-poll.ts';
import { SrtSocket } from './srt-socket.ts';

/** Seven packets of MPEG-TS. */
export const messageBytes = 1316;

const backlog = 512;
/** What one packet takes in libsrt's buffers. */
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
  [srtOption.peerIdleTimeo, 5000],
  [srtOption.fc, mostInFlight],
  [srtOption.rcvBuf, mostInFlight * packetBytes],
  [srtOption.sndBuf, 1024 * packetBytes],
  // Older ones cannot send a stream id.
  [srtOption.minVersion, 0x010300],
];

/** The one UDP port that everybody calls. */
export class SrtListener {
  readonly port: number;
  readonly #library: SrtLibrary;
  readonly #poll: SrtPoll;
  readonly #socket: number;
  readonly #from = Buffer.alloc(128);

  private constructor(library: SrtLibrary, poll: SrtPoll, socket: number) {
    this.#library = library;
    this.#poll = poll;
    this.#socket = socket;
    this.port = readSocketAddress(library.addressOf(socket)).port;
  }

  /** Throws when the port cannot be had. */
  static open(
    library: SrtLibrary,
    poll: SrtPoll,
    { listen, passphrase, judge }: { listen: Listen; passphrase: string; judge: JudgeCaller },
  ): SrtListener {
    const socket = bound(library, listen, passphrase);
    try {
      library.listen(socket, backlog, (streamId) => {
        poll.stir();
        return judge(streamId);
      });
      return new SrtListener(library, poll, socket);
    } catch (error) {
      void library.close(socket);
      throw error;
    }
  }

  accept(onCaller: (socket: SrtSocket) => void): void {
    this.#poll.watch(this.#socket, srtEvent.in, () => {
      for (let socket = this.#next(); socket >= 0; socket = this.#next()) {
        const caller = this.#socketOf(socket);
        if (caller) onCaller(caller);
      }
    });
  }

  async close(): Promise<void> {
    this.#poll.unwatch(this.#socket);
    await this.#library.close(this.#socket);
  }

  /** Undefined for one that is gone already. */
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

/** Without a host: IPv6 with IPv4 included, or IPv4 on a machine without IPv6. */
function bound(library: SrtLibrary, { host, port }: Listen, passphrase: string): number {
  if (host !== undefined) return boundTo(library, host, port, passphrase);
  try {
    return boundTo(library, '::', port, passphrase);
  } catch {
    return boundTo(library, '0.0.0.0', port, passphrase);
  }
}

function boundTo(library: SrtLibrary, address: string, port: number, passphrase: string): number {
  const socket = library.createSocket();
  try {
    for (const [option, value] of options) library.setOption(socket, option, value);
    if (passphrase !== '') library.setOption(socket, srtOption.passphrase, passphrase);
    if (address.includes(':')) library.setOption(socket, srtOption.ipv6Only, address === '::' ? 0 : 1);
    library.bind(socket, writeSocketAddress(address, port));
    return socket;
  } catch (error) {
    void library.close(socket);
    throw error;
  }
}
