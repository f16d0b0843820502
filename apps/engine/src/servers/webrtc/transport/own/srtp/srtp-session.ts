import { rtpHeaderBytes } from '@weir/media/rtp';
import type { NativeContext } from '../native/native-context.ts';
import { makeProtection, type Protection } from './protection.ts';
import type { MasterKey, SrtpProfile } from './srtp-keys.ts';

/** Number of packets that a fast stream sends in about a second, within which lost packets are sent again. A power of two. */
const windowPackets = 1024;

/** Received packets of one source, by numbers that do not wrap (RFC 3711, 3.3). */
class ReplayWindow {
  readonly #seen = new Uint32Array(windowPackets / 32);
  #highest = -1;

  /** Extends a 16-bit sequence number to the number nearest to the newest. */
  indexOf(sequence: number): number {
    return this.#highest < 0 ? sequence : this.#highest + (((sequence - this.#highest) << 16) >> 16);
  }

  isNew(index: number): boolean {
    if (index > this.#highest) return true;
    if (index < 0 || index <= this.#highest - windowPackets) return false;
    return ((this.#seen[(index % windowPackets) >> 5] ?? 0) & (1 << (index & 31))) === 0;
  }

  /** Marks an authenticated packet as seen. */
  accept(index: number): void {
    if (index - this.#highest >= windowPackets) this.#seen.fill(0);
    else for (let next = this.#highest + 1; next < index; next++) this.#set(next, false);
    this.#set(index, true);
    this.#highest = Math.max(this.#highest, index);
  }

  #set(index: number, isSeen: boolean): void {
    const word = (index % windowPackets) >> 5;
    const bit = 1 << (index & 31);
    this.#seen[word] = isSeen ? (this.#seen[word] ?? 0) | bit : (this.#seen[word] ?? 0) & ~bit;
  }
}

/** Limit of sources per peer: tracks, their retransmissions, and new sources after changes. */
const mostSources = 32;
const largestControlIndex = 2 ** 31;

interface SentSource {
  readonly ssrc: number;
  /** Newest sequence number, extended by its rollovers. */
  newest: number;
}

/** SRTP of one peer in both directions, in place in the arena. Methods return the new length; -1 for packets to drop. */
export class SrtpSession {
  readonly #bytes: Buffer;
  readonly #view: DataView;
  readonly #sending: Protection;
  readonly #receiving: Protection;
  /** Sent sources: a list, because there are at most three and a map lookup per packet is slower. */
  readonly #sent: SentSource[] = [];
  /** Source of the last sent packet, most likely also of the next one. */
  #lastSent: SentSource | undefined;
  readonly #received = new Map<number, ReplayWindow>();
  readonly #controls = new Map<number, ReplayWindow>();
  #controlIndex = 0;

  constructor(
    bench: NativeContext,
    profile: SrtpProfile,
    keys: { readonly ours: MasterKey; readonly theirs: MasterKey },
  ) {
    this.#bytes = bench.arena.bytes;
    this.#view = bench.arena.view;
    this.#sending = makeProtection(bench, profile, keys.ours);
    this.#receiving = makeProtection(bench, profile, keys.theirs);
  }

  /** Encrypts a packet whose first `written` bytes are in place; the rest of its payload is at `from`. */
  sealRtp(at: number, length: number, written = length, from = at + written): number {
    const view = this.#view;
    const head = headOf(view, at, written);
    if (head < 0) return -1;
    // Signed, because V8 stores signed 32-bit integers without an allocation.
    const ssrc = view.getInt32(at + 8);
    const sequence = view.getUint16(at + 2);
    const last = this.#lastSent;
    const source = last?.ssrc === ssrc ? last : this.#sourceOf(ssrc, sequence);
    if (!source) return -1;
    // The number nearest to the newest, so that a retransmission keeps its rollovers.
    const index = source.newest + (((sequence - source.newest) << 16) >> 16);
    if (index < 0) return -1;
    if (index > source.newest) source.newest = index;
    if (head === written) return this.#sending.seal(at, head, from, length, index);
    if (written < length) this.#bytes.copyWithin(at + written, from, from + length - written);
    return this.#sending.seal(at, head, at + head, length, index);
  }

  sealRtcp(at: number, length: number): number {
    if (length < 8 || this.#controlIndex >= largestControlIndex) return -1;
    return this.#sending.sealControl(at, length, this.#controlIndex++);
  }

  openRtp(at: number, length: number): number {
    const head = headOf(this.#view, at, length);
    if (head < 0) return -1;
    const ssrc = this.#view.getUint32(at + 8);
    const window = this.#received.get(ssrc) ?? new ReplayWindow();
    const index = window.indexOf(this.#view.getUint16(at + 2));
    if (!window.isNew(index)) return -1;
    const opened = this.#receiving.open(at, head, length, index);
    return opened >= 0 && accepts(this.#received, ssrc, window, index) ? opened : -1;
  }

  openRtcp(at: number, length: number): number {
    if (length < 12) return -1;
    const ssrc = this.#view.getUint32(at + 4);
    const window = this.#controls.get(ssrc) ?? new ReplayWindow();
    const index = this.#receiving.controlIndex(at, length);
    if (!window.isNew(index)) return -1;
    const opened = this.#receiving.openControl(at, length);
    return opened >= 0 && accepts(this.#controls, ssrc, window, index) ? opened : -1;
  }

  #sourceOf(ssrc: number, sequence: number): SentSource | undefined {
    for (const known of this.#sent) {
      if (known.ssrc !== ssrc) continue;
      this.#lastSent = known;
      return known;
    }
    if (this.#sent.length >= mostSources) return undefined;
    this.#lastSent = { ssrc, newest: sequence };
    this.#sent.push(this.#lastSent);
    return this.#lastSent;
  }

  close(): void {
    this.#sending.close();
    this.#receiving.close();
  }
}

/** Keeps a window for a source whose packet was authentic, up to a number of sources. */
function accepts(windows: Map<number, ReplayWindow>, ssrc: number, window: ReplayWindow, index: number): boolean {
  if (!windows.has(ssrc)) {
    if (windows.size >= mostSources) return false;
    windows.set(ssrc, window);
  }
  window.accept(index);
  return true;
}

/** Length of the header, which is not encrypted (RFC 3550, 5.1); -1 for data other than RTP. */
function headOf(view: DataView, at: number, length: number): number {
  if (length < rtpHeaderBytes) return -1;
  const first = view.getUint8(at);
  let head = rtpHeaderBytes + (first & 0x0f) * 4;
  if ((first & 0x10) !== 0) {
    if (head + 4 > length) return -1;
    head += 4 + view.getUint16(at + head + 2) * 4;
  }
  return first >> 6 === 2 && head <= length ? head : -1;
}
