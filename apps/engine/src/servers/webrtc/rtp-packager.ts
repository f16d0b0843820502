import {
  avcParameterSets,
  hevcParameterSets,
  MalformedMedia,
  type MediaFrame,
  NalCursor,
  type TrackConfig,
  type VideoConfig,
} from '@weir/media';
import {
  av1SequenceOf,
  h264Form,
  h265Form,
  packetizeAv1,
  packetizeNals,
  packetizeVp9,
  rtpHeaderBytes,
} from '@weir/media/rtp';
import type { Packager } from '../../hub/packager.ts';
import type { StreamView } from '../../hub/stream.ts';
import type { OutPacket } from './out-packet.ts';
import { PacketRing } from './packet-ring.ts';
import { StreamClock } from './stream-clock.ts';

/** Somebody to whom packets go. */
export interface RtpReceiver {
  /** Sends what is new, at most so many packets; true when there is more. */
  pump(ring: PacketRing, mostPackets: number): boolean;
  /** The stream has ended. */
  onOver(): void;
}

/** The loop is given back after this long, so that many viewers do not hold up everything else. */
const sliceMs = 4;
/** Per viewer and turn. A viewer who starts gets its first pictures over several turns, not in one burst. */
const packetsPerTurn = 48;
const turnMs = 4;

const audioRate = 48;
const videoRate = 90;

/** Turns one stream into RTP packets, once, and hands them to every viewer. */
export class RtpPackager implements Packager {
  readonly ring = new PacketRing();
  readonly clock = new StreamClock();
  readonly #stream: StreamView;
  readonly #onEmpty: () => void;
  readonly #receivers = new Set<RtpReceiver>();
  #video: VideoConfig | undefined;
  #parameterSets: readonly Buffer[] = [];
  #needsKeyframe = true;
  #videoSequence = 0;
  #audioSequence = 0;
  #picture = 0;
  #videoTimestamp = 0;
  #turn: NodeJS.Timeout | NodeJS.Immediate | undefined;
  /** Everybody who gets a turn in this round, and whose it is. */
  #round: readonly RtpReceiver[] = [];
  #at = 0;
  #hasMore = false;
  /** Something came while a round was under way. */
  #isStale = false;

  constructor(stream: StreamView, onEmpty: () => void) {
    this.#stream = stream;
    this.#onEmpty = onEmpty;
    stream.attach(this);
    for (const frame of stream.cached()) this.#append(frame);
  }

  add(receiver: RtpReceiver): void {
    this.#receivers.add(receiver);
  }

  remove(receiver: RtpReceiver): void {
    if (!this.#receivers.delete(receiver) || this.#receivers.size > 0) return;
    this.#stop();
    this.#onEmpty();
  }

  onConfig(config: TrackConfig): void {
    if (config.kind !== 'video') return;
    this.#video = config;
    this.#parameterSets = orNothing(() => parameterSetsOf(config));
    this.#needsKeyframe = true;
    this.ring.closeEntry();
  }

  onFrame(frame: MediaFrame): void {
    this.clock.follow(frame.ptsMs, performance.now());
    this.#append(frame);
    this.wake();
  }

  onDiscontinuity(): void {
    this.#needsKeyframe = true;
    this.ring.closeEntry();
  }

  close(): void {
    this.#stop();
    for (const receiver of [...this.#receivers]) receiver.onOver();
  }

  /** The newest picture: its count and its time. */
  get newest(): { readonly picture: number; readonly timestamp: number } {
    return { picture: this.#picture - 1, timestamp: this.#videoTimestamp };
  }

  /** Sends what viewers have not got yet; goes on later when that takes too long. */
  wake(): void {
    if (this.#turn === undefined) this.#pump();
    else this.#isStale = true;
  }

  #append(frame: MediaFrame): void {
    if (frame.kind === 'audio') {
      if (frame.codec === 'opus')
        this.#push(withRoom(frame.payload), frame, { isVideo: false, isLast: true, isEntry: false });
      return;
    }
    if (frame.codec !== this.#video?.codec) return;
    if (this.#needsKeyframe && !frame.isKeyframe) return;
    const packets = this.#packetize(frame);
    if (packets.length === 0) return;
    this.#needsKeyframe = false;
    for (const [index, bytes] of packets.entries()) {
      const isLast = index === packets.length - 1;
      this.#push(bytes, frame, { isVideo: true, isLast, isEntry: frame.isKeyframe && index === 0 });
    }
    this.#picture += 1;
    this.#videoTimestamp = Math.round(frame.ptsMs * videoRate);
  }

  #push(bytes: Buffer, { ptsMs }: MediaFrame, of: { isVideo: boolean; isLast: boolean; isEntry: boolean }): void {
    const packet: OutPacket = {
      bytes,
      isVideo: of.isVideo,
      sequence: of.isVideo ? this.#videoSequence++ : this.#audioSequence++,
      timestamp: Math.round(ptsMs * (of.isVideo ? videoRate : audioRate)),
      // The marker of sound means the end of a silence, which is not known here.
      isMarker: of.isVideo && of.isLast,
      picture: this.#picture,
      isEntry: of.isEntry,
    };
    this.ring.push(packet);
  }

  #packetize({ codec, payload, isKeyframe }: MediaFrame): readonly Buffer[] {
    const sets = isKeyframe ? this.#parameterSets : [];
    return orNothing(() => {
      if (codec === 'vp9') return packetizeVp9(payload, { id: this.#picture, isKeyframe });
      if (codec === 'av1') return packetizeAv1(payload, { sequence: sets, isKeyframe });
      const nals = [...sets];
      for (const cursor = new NalCursor(payload); cursor.next(); ) nals.push(cursor.view());
      return packetizeNals(nals, codec === 'h265' ? h265Form : h264Form);
    });
  }

  readonly #pump = (): void => {
    this.#turn = undefined;
    const until = performance.now() + sliceMs;
    if (this.#at >= this.#round.length) {
      this.#round = [...this.#receivers];
      this.#at = 0;
      this.#hasMore = false;
    }
    while (this.#at < this.#round.length) {
      if (this.#round[this.#at++]?.pump(this.ring, packetsPerTurn)) this.#hasMore = true;
      if (this.#at < this.#round.length && performance.now() > until) {
        this.#turn = setImmediate(this.#pump);
        return;
      }
    }
    if (this.#hasMore) this.#turn = setTimeout(this.#pump, turnMs);
    else if (this.#isStale) this.#turn = setImmediate(this.#pump);
    this.#isStale = false;
  };

  #stop(): void {
    clearTimeout(this.#turn as NodeJS.Timeout);
    clearImmediate(this.#turn as NodeJS.Immediate);
    this.#turn = undefined;
    this.#stream.detach(this);
  }
}

/** What cannot be taken apart is left out: others may still make sense of it. */
function orNothing(take: () => readonly Buffer[]): readonly Buffer[] {
  try {
    return take();
  } catch (error) {
    if (!(error instanceof MalformedMedia)) throw error;
    return [];
  }
}

/** Decoders in browsers want them in band, before each keyframe. */
function parameterSetsOf({ codec, record }: VideoConfig): readonly Buffer[] {
  if (codec === 'h264') {
    const { sps, pps } = avcParameterSets(record);
    return [...sps, ...pps];
  }
  if (codec === 'h265') {
    const { vps, sps, pps } = hevcParameterSets(record);
    return [...vps, ...sps, ...pps];
  }
  return codec === 'av1' ? av1SequenceOf(record) : [];
}

function withRoom(payload: Buffer): Buffer {
  const out = Buffer.allocUnsafe(rtpHeaderBytes + payload.length);
  payload.copy(out, rtpHeaderBytes);
  return out;
}
