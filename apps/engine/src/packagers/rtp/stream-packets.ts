import {
  avcParameterSets,
  h264NalType,
  h265NalType,
  hevcParameterSets,
  MalformedMedia,
  type MediaFrame,
  NalCursor,
  opusPacketSamples,
  type TrackConfig,
  type VideoConfig,
} from '@weir/media';
import {
  h264Layout,
  h265Layout,
  joinOpusPackets,
  longestJoinedSamples,
  packetizeAv1,
  packetizeNals,
  packetizeOpus,
  packetizeVp9,
  readAv1Sequence,
  rtpHeaderBytes,
  vp9IdBytes,
} from '@weir/media/rtp';
import { AudioClock } from './audio-clock.ts';
import { PacketRing } from './packet-ring.ts';

const samplesPerMs = 48;
/** 20 ms. Longer ones are few already, and would wait for too long. */
const longestSamples = 960;
/** Sounds further apart than their length leave a hole, over which they must not be joined. */
const mostGapMs = 2;

/** A packet of sound, with room for a header in front. */
interface SoundPacket {
  readonly bytes: Buffer;
  readonly ptsMs: number;
}

/** Sounds that wait for the next picture, or for one another: 40 ms at most. */
class AudioHoldback {
  #held: MediaFrame[] = [];
  #samples = 0;

  get isEmpty(): boolean {
    return this.#held.length === 0;
  }

  /**
   * Returns the packets to send now. With `joins` audio packets are joined up to 40 ms, and with `waits` they wait for a
   * video frame to travel with.
   */
  add(sound: MediaFrame, joins: boolean, waits: boolean): readonly SoundPacket[] {
    const samples = opusSamples(sound.payload);
    const last = this.#held.at(-1);
    const isOver = this.#samples + samples > longestJoinedSamples || (last && !followsAtOnce(last, sound));
    const before = isOver ? this.flush() : [];
    this.#held.push(sound);
    this.#samples += samples;
    const isShort = samples > 0 && samples <= longestSamples;
    const isHeld = joins && isShort && (waits || this.#samples < longestJoinedSamples);
    return isHeld ? before : [...before, ...this.flush()];
  }

  /** All of them. */
  flush(): readonly SoundPacket[] {
    const held = this.#held;
    this.clear();
    const [first] = held;
    const joined = held.length > 1 ? joinOpusPackets(held.map(({ payload }) => payload)) : undefined;
    if (first && joined) return [{ bytes: joined, ptsMs: first.ptsMs }];
    return held.map(({ payload, ptsMs }) => ({ bytes: packetizeOpus(payload), ptsMs }));
  }

  clear(): void {
    this.#held = [];
    this.#samples = 0;
  }
}

function followsAtOnce(first: MediaFrame, second: MediaFrame): boolean {
  return Math.abs(second.ptsMs - first.ptsMs - opusSamples(first.payload) / samplesPerMs) <= mostGapMs;
}

/** 0 for a malformed packet. */
function opusSamples(payload: Buffer): number {
  try {
    return opusPacketSamples(payload);
  } catch (error) {
    if (!(error instanceof MalformedMedia)) throw error;
    return 0;
  }
}

const audioTicksPerMs = 48;
const videoTicksPerMs = 90;
/** Audio does not wait for video once the last frame is older than this. */
const pictureEveryMs = 100;
/** Octets that the last packet of a picture may be filled up with. */
const mostPadding = 64;
/** A sound travels in one datagram. The longest that Opus has at its highest rate is not half of this. */
const mostSoundBytes = 16 * 1024;
/** Slices of one picture; each costs some memory however small it is. */
const mostNals = 4096;
/** Remarks on pictures, delimiters, and what encoders of constant bitrate fill up with: browsers use none, and each would be a packet. */
const emptyOfH264: readonly number[] = [6, 9, 12];
const emptyOfH265: readonly number[] = [35, 38, 39, 40];

/** The frames of a stream as RTP packets, numbered track by track. */
export class StreamPackets {
  readonly ring = new PacketRing();
  #video: VideoConfig | undefined;
  #parameterSets: readonly Buffer[] = [];
  #needsKeyframe = true;
  #videoSequence = 0;
  #audioSequence = 0;
  #picture = 0;
  #videoTimestamp = 0;
  #pictureMs = Number.NEGATIVE_INFINITY;
  readonly #sounds = new AudioHoldback();
  readonly #audioClock = new AudioClock();

  /** The newest picture: its count and its time. */
  get newest(): { readonly picture: number; readonly timestamp: number } {
    return { picture: this.#picture - 1, timestamp: this.#videoTimestamp };
  }

  /** A time of the stream on the clock of the audio's timestamps, for sender reports. */
  audioTicksAt(streamMs: number): number {
    return this.#audioClock.at(streamMs * audioTicksPerMs);
  }

  config(config: TrackConfig): void {
    if (config.kind !== 'video') return;
    this.#video = config;
    this.#parameterSets = orNothing(() => parameterSetsOf(config));
    this.seam();
  }

  /** Marks a discontinuity. */
  seam(): void {
    this.#needsKeyframe = true;
    this.#sounds.clear();
    this.#audioClock.seam();
    this.ring.closeEntry();
  }

  /**
   * With `joinsSounds` the sounds of 40 ms travel in one packet, right behind a picture: that much later at most, for fewer
   * packets and messages.
   */
  frame(frame: MediaFrame, joinsSounds: boolean): void {
    if (frame.kind === 'video') {
      this.#addPicture(frame);
      if (frame.codec === this.#video?.codec)
        for (const { bytes, ptsMs } of this.#sounds.flush()) this.#pushSound(bytes, ptsMs);
    } else if (frame.codec === 'opus' && frame.payload.length <= mostSoundBytes) this.#addSound(frame, joinsSounds);
  }

  #addPicture(frame: MediaFrame): void {
    const { isKeyframe, ptsMs } = frame;
    if (frame.codec !== this.#video?.codec || (this.#needsKeyframe && !isKeyframe)) return;
    const packets = this.#packetize(frame);
    if (packets.length === 0) return;
    this.#needsKeyframe = false;
    this.#pictureMs = ptsMs;
    this.#videoTimestamp = Math.round(ptsMs * videoTicksPerMs);
    const padding = this.#sounds.isEmpty ? 0 : fillUp(packets);
    const isVp9 = frame.codec === 'vp9';
    for (const [index, bytes] of packets.entries()) {
      this.ring.push({
        payload: bytes.subarray(rtpHeaderBytes + (isVp9 ? vp9IdBytes : 0)),
        vp9Flags: isVp9 ? bytes[rtpHeaderBytes] : undefined,
        padding: index === packets.length - 1 ? padding : 0,
        isVideo: true,
        sequence: this.#videoSequence++,
        timestamp: this.#videoTimestamp,
        isMarker: index === packets.length - 1,
        picture: this.#picture,
        isEntry: isKeyframe && index === 0,
      });
    }
    this.#picture += 1;
  }

  #addSound(frame: MediaFrame, joinsSounds: boolean): void {
    const waits = Math.abs(frame.ptsMs - this.#pictureMs) < pictureEveryMs;
    for (const { bytes, ptsMs } of this.#sounds.add(frame, joinsSounds, waits)) this.#pushSound(bytes, ptsMs);
  }

  #pushSound(bytes: Buffer, ptsMs: number): void {
    const payload = bytes.subarray(rtpHeaderBytes);
    this.ring.push({
      payload,
      padding: 0,
      isVideo: false,
      sequence: this.#audioSequence++,
      timestamp: this.#audioClock.next(ptsMs * audioTicksPerMs, opusSamples(payload)),
      // The marker of sound means the end of a silence, which is not known here.
      isMarker: false,
      picture: this.#picture,
      isEntry: false,
    });
  }

  #packetize({ codec, payload, isKeyframe }: MediaFrame): Buffer[] {
    const sets = isKeyframe ? this.#parameterSets : [];
    return orNothing(() => {
      if (codec === 'vp9') return packetizeVp9(payload, { id: this.#picture, isKeyframe });
      if (codec === 'av1') return packetizeAv1(payload, { sequence: sets, isKeyframe });
      const nals = [...sets];
      const empty = codec === 'h265' ? emptyOfH265 : emptyOfH264;
      const typeOf = codec === 'h265' ? h265NalType : h264NalType;
      for (const cursor = new NalCursor(payload); cursor.next(); )
        if (!empty.includes(typeOf(cursor.header)) && nals.push(cursor.view()) > mostNals)
          throw new MalformedMedia('picture has too many slices');
      return packetizeNals(nals, codec === 'h265' ? h265Layout : h264Layout);
    });
  }
}

/**
 * Makes the last packet as long as the one before it, with padding (RFC 3550, 5.1), and tells by how much. The kernel cuts
 * messages into equal parts of which only the last may be shorter, and that shall be the sound behind the picture.
 */
function fillUp(packets: Buffer[]): number {
  const [before, last] = packets.slice(-2);
  const missing = before && last ? before.length - last.length : 0;
  if (!before || !last || missing <= 0 || missing > mostPadding) return 0;
  const padded = Buffer.alloc(before.length);
  last.copy(padded);
  padded[before.length - 1] = missing;
  packets[packets.length - 1] = padded;
  return missing;
}

/** A frame that cannot be packetised is left out: others may still be fine. */
function orNothing(flush: () => Buffer[]): Buffer[] {
  try {
    return flush();
  } catch (error) {
    if (!(error instanceof MalformedMedia)) throw error;
    return [];
  }
}

/** Decoders in browsers want them in band, before each keyframe. */
function parameterSetsOf({ codec, record }: VideoConfig): Buffer[] {
  if (codec === 'h264') {
    const { sps, pps } = avcParameterSets(record);
    return [...sps, ...pps];
  }
  if (codec === 'h265') {
    const { vps, sps, pps } = hevcParameterSets(record);
    return [...vps, ...sps, ...pps];
  }
  return codec === 'av1' ? [...readAv1Sequence(record)] : [];
}
