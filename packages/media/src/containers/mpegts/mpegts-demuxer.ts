import { metadataOfTracks } from '../../announced-tracks.ts';
import { type Demuxed, MalformedMedia, mostTracks } from '../../frame.ts';
import { AudioReader } from './audio-reader.ts';
import { packetBytes, patPid, timestampModulus, tsSyncByte } from './mpegts-constants.ts';
import { PesAssembler, type PesPacket } from './pes-assembler.ts';
import { type FoundStream, readPat, readPmt, SectionAssembler } from './psi-reader.ts';
import { TimestampUnwrapper, wrap33 } from './timestamps.ts';
import { VideoReader } from './video-reader.ts';

interface Elementary {
  readonly stream: FoundStream;
  /** Number among the streams of its kind. */
  readonly track: number;
  readonly pes: PesAssembler;
  readonly reader: VideoReader | AudioReader;
  /** Continuity counter of the last packet; -1 before the first. */
  continuity: number;
  /** Time of the last PES packet, and its distance from the one before. */
  dts90k: number | undefined;
  step90k: number;
}

/** Input without a packet in this many bytes is not MPEG-TS. */
const maxBytesWithoutSync = 64 * 1024;

/** Packets of one stream after which its counter is where it was: a longer loss cannot be told by it. */
const countersRound = 16;

const nothing: Buffer = Buffer.alloc(0);

interface Options {
  /**
   * Passes on video frames that lost their end, for sources that lose packets: a decoder conceals the rest, where a
   * missing frame would freeze the video and leave a gap in the frame numbers.
   */
  readonly keepsCutVideo?: boolean;
  /** Reads further video and audio streams, too. */
  readonly readsTracks?: boolean;
}

/** With the number of the track, where that is not the first of its kind. */
type TsItem = Demuxed & { readonly track?: number };

/** MPEG-TS bytes → configs and frames of the first video and the first audio stream we can read, or of several. */
export class MpegTsDemuxer {
  #rest = nothing;
  #skippedBytes = 0;
  #pmtPid: number | undefined;
  readonly #pat = new SectionAssembler();
  #pmt = new SectionAssembler();
  readonly #streams = new Map<number, Elementary>();
  readonly #clock = new TimestampUnwrapper();
  readonly #keepsCutVideo: boolean;
  readonly #mostTracks: number;

  constructor({ keepsCutVideo = false, readsTracks = false }: Options = {}) {
    this.#keepsCutVideo = keepsCutVideo;
    this.#mostTracks = readsTracks ? mostTracks : 1;
  }

  /** Tells that packets are missing before the next chunk. A few are noticed by their counters. */
  lose(packets: number): TsItem[] {
    const out: TsItem[] = [];
    this.#rest = nothing;
    if (packets < countersRound) return out;
    for (const elementary of this.#streams.values()) {
      this.#cut(elementary, out);
      elementary.continuity = -1;
    }
    return out;
  }

  push(chunk: Buffer): TsItem[] {
    const out: TsItem[] = [];
    const bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    let at = 0;
    while (at + packetBytes <= bytes.length) {
      // A packet is believed when another follows it, or when nothing can be seen behind it.
      const follower = bytes[at + packetBytes] ?? tsSyncByte;
      if (bytes[at] === tsSyncByte && (follower === tsSyncByte || this.#skippedBytes === 0)) {
        this.#skippedBytes = 0;
        this.#packet(bytes, at, out);
        at += packetBytes;
        continue;
      }
      const next = bytes.indexOf(tsSyncByte, at + 1);
      const end = next < 0 ? bytes.length : next;
      this.#skippedBytes += end - at;
      if (this.#skippedBytes > maxBytesWithoutSync) throw new MalformedMedia('not MPEG-TS');
      at = end;
    }
    this.#rest = at === bytes.length ? nothing : Buffer.from(bytes.subarray(at));
    return out;
  }

  /** Flushes the packets that were incomplete when the input ended. */
  flush(): TsItem[] {
    const out: TsItem[] = [];
    for (const elementary of this.#streams.values()) this.#finish(elementary, out);
    return out;
  }

  /** ISO 13818-1, 2.4.3.2; the layout is drawn beside `writePesPackets`. */
  #packet(bytes: Buffer, at: number, out: TsItem[]): void {
    const flags = bytes.readUInt8(at + 1);
    const control = bytes.readUInt8(at + 3);
    const hasPayload = (control & 0x10) !== 0;
    const isBroken = (flags & 0x80) !== 0 || (control & 0xc0) !== 0;
    if (isBroken) return;
    if (!hasPayload) {
      this.#noteGap(bytes, at);
      return;
    }
    const fieldBytes = (control & 0x20) !== 0 ? 1 + bytes.readUInt8(at + 4) : 0;
    const start = at + 4 + fieldBytes;
    const end = at + packetBytes;
    if (start > end) return;
    const isStart = (flags & 0x40) !== 0;
    const pid = ((flags & 0x1f) << 8) | bytes.readUInt8(at + 2);
    const elementary = this.#streams.get(pid);
    if (elementary) {
      const isMarkedGap = fieldBytes > 1 && (bytes.readUInt8(at + 5) & 0x80) !== 0;
      // A packet may be sent twice (2.4.3.3).
      if (!isMarkedGap && elementary.continuity === (control & 0xf)) return;
      this.#follow(elementary, control & 0xf, isMarkedGap, out);
      if (isStart) {
        this.#finish(elementary, out);
        elementary.pes.begin();
      }
      elementary.pes.append(bytes, start, end, fieldBytes > 0 && hasStuffing(bytes, at + 4));
      if (elementary.pes.isWhole) this.#finish(elementary, out);
    } else if (pid === patPid) {
      this.#readPat(bytes.subarray(start, end), isStart);
    } else if (pid === this.#pmtPid) {
      this.#readPmt(bytes.subarray(start, end), isStart, out);
    }
  }

  #readPat(payload: Buffer, isStart: boolean): void {
    const section = this.#pat.push(payload, isStart);
    const pmtPid = section && readPat(section);
    if (pmtPid === undefined || pmtPid === this.#pmtPid) return;
    this.#pmtPid = pmtPid;
    this.#pmt = new SectionAssembler();
  }

  #readPmt(payload: Buffer, isStart: boolean, out: TsItem[]): void {
    const section = this.#pmt.push(payload, isStart);
    if (!section) return;
    const found = readPmt(section);
    const videos = found.filter(isVideo).slice(0, this.#mostTracks);
    const audios = found.filter(isAudio).slice(0, this.#mostTracks);
    const wanted = new Map<number, FoundStream>([...videos, ...audios].map((stream) => [stream.pid, stream]));
    for (const [pid, { stream }] of this.#streams) {
      const now = wanted.get(pid);
      if (now?.codec !== stream.codec || now.channels !== stream.channels) this.#streams.delete(pid);
    }
    const joined = [...wanted.values()].filter(({ pid }) => !this.#streams.has(pid));
    for (const stream of joined) this.#streams.set(stream.pid, elementaryOf(stream, this.#freeTrack(stream)));
    if (joined.length === 0) return;
    const values = { ...metadataOfTracks(videos[0]?.codec, audios[0]?.codec), ...this.#languages() };
    out.push({ type: 'metadata', values });
  }

  #ofKind(stream: FoundStream): Elementary[] {
    return [...this.#streams.values()].filter((other) => isVideo(other.stream) === isVideo(stream));
  }

  /** Streams keep their numbers when others come and go. */
  #freeTrack(stream: FoundStream): number {
    const taken = new Set(this.#ofKind(stream).map(({ track }) => track));
    let track = 0;
    while (taken.has(track)) track += 1;
    return track;
  }

  /** In the form that publishers by RTMP have for it. */
  #languages() {
    if (this.#mostTracks === 1) return {};
    const audios = [...this.#streams.values()].filter(({ stream }) => isAudio(stream));
    const told = audios.map(({ stream, track }) => [String(track), { language: stream.language }]);
    return { audioTrackIdInfoMap: Object.fromEntries(told) };
  }

  /** A packet without payload may announce a new start of the counter. */
  #noteGap(bytes: Buffer, at: number): void {
    const isMarked = bytes.readUInt8(at + 4) > 0 && (bytes.readUInt8(at + 5) & 0x80) !== 0;
    const elementary = this.#streams.get(((bytes.readUInt8(at + 1) & 0x1f) << 8) | bytes.readUInt8(at + 2));
    if (isMarked && elementary) elementary.continuity = bytes.readUInt8(at + 3) & 0xf;
  }

  #follow(elementary: Elementary, continuity: number, isMarkedGap: boolean, out: TsItem[]): void {
    const last = elementary.continuity;
    elementary.continuity = continuity;
    if (isMarkedGap || last < 0 || continuity === ((last + 1) & 0xf)) return;
    this.#cut(elementary, out);
  }

  /** Packets are missing from what was begun: of audio it is worth nothing. */
  #cut(elementary: Elementary, out: TsItem[]): void {
    if (elementary.reader instanceof AudioReader) elementary.reader.drop();
    else if (this.#keepsCutVideo) this.#finish(elementary, out, true);
    elementary.pes.drop();
  }

  #finish(elementary: Elementary, out: TsItem[], isCut = false): void {
    const packet = elementary.pes.finish(isCut);
    if (!packet) return;
    const dts90k = this.#timeOf(elementary, packet);
    if (dts90k === undefined) return;
    const dtsMs = dts90k / 90;
    const { track } = elementary;
    const from = out.length;
    if (elementary.reader instanceof AudioReader) elementary.reader.read(packet.data, dtsMs, out);
    else elementary.reader.read(packet.data, dtsMs + compositionOffset90k(packet) / 90, dtsMs, out, isCut);
    if (track === 0) return;
    for (const [index, item] of out.entries()) if (index >= from) out[index] = { ...item, track };
  }

  /**
   * All streams share one clock, so audio that starts just after the 33 bits wrapped stays beside its video. A packet
   * may have no time (2.7.4 requires one every 0.7 s); it then follows the last at the same distance as that followed
   * the one before.
   */
  #timeOf(elementary: Elementary, packet: PesPacket): number | undefined {
    const last = elementary.dts90k;
    if (packet.dts90k === undefined && last === undefined) return undefined;
    const now = packet.dts90k === undefined ? (last ?? 0) + elementary.step90k : this.#clock.unwrap(packet.dts90k);
    elementary.step90k = last === undefined ? 0 : Math.max(0, now - last);
    elementary.dts90k = now;
    return now;
  }
}

/** True if an adaptation field (2.4.3.4) holds more than its clocks. Fields with further parts count as full. */
function hasStuffing(bytes: Buffer, at: number): boolean {
  const length = bytes.readUInt8(at);
  if (length === 0) return true;
  const flags = bytes.readUInt8(at + 1);
  if ((flags & 0x07) !== 0) return false;
  return length > 1 + (flags & 0x10 ? 6 : 0) + (flags & 0x08 ? 6 : 0);
}

/** A picture is shown within hours of its decoding, so a huge offset is a small negative one. */
function compositionOffset90k({ pts90k = 0, dts90k = 0 }: PesPacket): number {
  const offset = wrap33(pts90k - dts90k);
  return offset < timestampModulus / 2 ? offset : offset - timestampModulus;
}

function elementaryOf(stream: FoundStream, track: number): Elementary {
  const { codec, channels } = stream;
  const reader = codec === 'h264' || codec === 'h265' ? new VideoReader(codec) : new AudioReader(codec, channels);
  return { stream, track, pes: new PesAssembler(), reader, continuity: -1, dts90k: undefined, step90k: 0 };
}

type FoundVideo = FoundStream & { readonly codec: 'h264' | 'h265' };
type FoundAudio = FoundStream & { readonly codec: 'aac' | 'mp3' | 'opus' };

function isVideo(stream: FoundStream): stream is FoundVideo {
  return stream.codec === 'h264' || stream.codec === 'h265';
}

function isAudio(stream: FoundStream): stream is FoundAudio {
  return !isVideo(stream);
}
