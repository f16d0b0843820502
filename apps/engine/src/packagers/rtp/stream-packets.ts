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
  av1SequenceOf,
  h264Layout,
  h265Layout,
  packetizeAv1,
  packetizeNals,
  packetizeOpus,
  packetizeOpusPair,
  packetizeVp9,
  rtpHeaderBytes,
} from '@weir/media/rtp';
import { PacketRing } from './packet-ring.ts';

const audioTicksPerMs = 48;
const videoTicksPerMs = 90;
/** Sounds further apart than their length leave a hole, over which they must not be joined. */
const mostSoundGapMs = 2;
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
  #heldSound: MediaFrame | undefined;

  /** The newest picture: its count and its time. */
  get newest(): { readonly picture: number; readonly timestamp: number } {
    return { picture: this.#picture - 1, timestamp: this.#videoTimestamp };
  }

  config(config: TrackConfig): void {
    if (config.kind !== 'video') return;
    this.#video = config;
    this.#parameterSets = orNothing(() => parameterSetsOf(config));
    this.seam();
  }

  /** What follows does not build on what went before. */
  seam(): void {
    this.#needsKeyframe = true;
    this.#heldSound = undefined;
    this.ring.closeEntry();
  }

  /** With `joinsSounds` two sounds travel in one packet: later by the length of one, for half as many packets. */
  frame(frame: MediaFrame, joinsSounds: boolean): void {
    if (frame.kind === 'video') this.#addPicture(frame);
    else if (frame.codec === 'opus' && frame.payload.length <= mostSoundBytes) this.#addSound(frame, joinsSounds);
  }

  #addPicture(frame: MediaFrame): void {
    const { isKeyframe, ptsMs } = frame;
    if (frame.codec !== this.#video?.codec || (this.#needsKeyframe && !isKeyframe)) return;
    const packets = this.#packetize(frame);
    if (packets.length === 0) return;
    this.#needsKeyframe = false;
    this.#videoTimestamp = Math.round(ptsMs * videoTicksPerMs);
    for (const [index, bytes] of packets.entries()) {
      this.ring.push({
        payload: bytes.subarray(rtpHeaderBytes),
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
    const held = this.#heldSound;
    this.#heldSound = undefined;
    const pair = held && followsAtOnce(held, frame) ? packetizeOpusPair(held.payload, frame.payload) : undefined;
    if (held && pair) {
      this.#pushSound(pair, held.ptsMs);
      return;
    }
    if (held) this.#pushSound(packetizeOpus(held.payload), held.ptsMs);
    if (joinsSounds) this.#heldSound = frame;
    else this.#pushSound(packetizeOpus(frame.payload), frame.ptsMs);
  }

  #pushSound(bytes: Buffer, ptsMs: number): void {
    this.ring.push({
      payload: bytes.subarray(rtpHeaderBytes),
      isVideo: false,
      sequence: this.#audioSequence++,
      timestamp: Math.round(ptsMs * audioTicksPerMs),
      // The marker of sound means the end of a silence, which is not known here.
      isMarker: false,
      picture: this.#picture,
      isEntry: false,
    });
  }

  #packetize({ codec, payload, isKeyframe }: MediaFrame): readonly Buffer[] {
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

function followsAtOnce(first: MediaFrame, second: MediaFrame): boolean {
  try {
    const lengthMs = opusPacketSamples(first.payload) / audioTicksPerMs;
    return Math.abs(second.ptsMs - first.ptsMs - lengthMs) <= mostSoundGapMs;
  } catch (error) {
    if (!(error instanceof MalformedMedia)) throw error;
    return false;
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
