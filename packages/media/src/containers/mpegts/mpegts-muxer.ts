import { writeAdtsLength } from '../../codecs/adts.ts';
import { h264NalType, h265NalType } from '../../codecs/nal.ts';
import { MalformedMedia, type MediaFrame, type TrackConfig } from '../../frame.ts';
import { packetBytes, patPid, pmtPid } from './mpegts-constants.ts';
import { PacketBuffer } from './packet-buffer.ts';
import { writeGapPacket, writePcrPacket, writePesPackets } from './packetizer.ts';
import { patSection, pmtSection, writePsiPacket } from './psi.ts';
import { to90k, writeTimestamp } from './timestamps.ts';
import { mpegTsCarries, type TsTrack, toTsTrack } from './ts-track.ts';

/** The clock runs this far behind the frames, so that each is there before its time comes. */
const pcrDelay90k = 9000;

/** ISO 13818-1 asks for a clock every 100 ms. Between rare pictures it comes with the next sound, up to 32 ms later. */
const pcrInterval90k = 6100;

const nothing: Buffer = Buffer.alloc(0);

/**
 * Frames → MPEG-TS packets. Every keyframe carries its parameter sets and a clock, so a segment may begin at any of
 * them. Continuity counters run on from segment to segment.
 */
export class MpegTsMuxer {
  #video: TsTrack | undefined;
  #audio: TsTrack | undefined;
  #tableVersion = -1;
  #pat = nothing;
  #pmt = nothing;
  #tableContinuity = 0;
  #pcr90k: number | undefined;

  /** Adds or replaces a track. A codec that MPEG-TS has no place for takes its track away. */
  setConfig(config: TrackConfig): void {
    const before = config.kind === 'video' ? this.#video : this.#audio;
    const track = mpegTsCarries(config.codec) ? toTsTrack(config, before?.continuity ?? 0) : undefined;
    if (config.kind === 'video') this.#video = track;
    else this.#audio = track;
    // Publishers repeat their configs; the table is written again only when it changes.
    const isListed = before && track && before.streamType === track.streamType;
    if (!isListed || !before.descriptors.equals(track.descriptors)) this.#buildTables();
  }

  /** Takes a track away, until it gets a config again. */
  removeTrack(kind: TrackConfig['kind']): void {
    if (kind === 'video') this.#video = undefined;
    else this.#audio = undefined;
    this.#buildTables();
  }

  /** PAT and PMT, to stand at the beginning of each segment. */
  tables(): Buffer {
    const into = new PacketBuffer();
    this.appendTables(into);
    return into.finish();
  }

  /** The packets of one frame; empty when its track is not known. */
  frame(frame: MediaFrame): Buffer {
    const into = new PacketBuffer();
    this.append(frame, into);
    return into.finish();
  }

  /** True if the track of the frame has a config, so that packets will be written. */
  takes({ kind, codec, payload }: MediaFrame): boolean {
    return (kind === 'video' ? this.#video : this.#audio)?.codec === codec && payload.length > 0;
  }

  appendTables(into: PacketBuffer): void {
    if (this.#tableVersion < 0) this.#buildTables();
    const at = into.reserve(2 * packetBytes);
    writePsiPacket(into.memory, at, patPid, this.#tableContinuity, this.#pat);
    writePsiPacket(into.memory, at + packetBytes, pmtPid, this.#tableContinuity, this.#pmt);
    this.#tableContinuity = (this.#tableContinuity + 1) & 0xf;
  }

  /** The beginning of a segment whose predecessors this muxer has not made: `number` says how many there were. */
  appendBeginning(into: PacketBuffer, number: number): void {
    this.#tableContinuity = number & 0xf;
    this.appendTables(into);
    for (const track of [this.#video, this.#audio]) {
      if (track) {
        const at = into.reserve(packetBytes);
        writeGapPacket(into.memory, at, track);
      }
    }
  }

  /** Returns how many bytes were added: none when the track of the frame is not known. */
  append(frame: MediaFrame, into: PacketBuffer): number {
    const track = frame.kind === 'video' ? this.#video : this.#audio;
    if (!track || track.codec !== frame.codec || frame.payload.length === 0) return 0;
    const start = into.length;
    try {
      this.#write(frame, track, into);
    } catch (error) {
      into.undo(start);
      throw error;
    }
    return into.length - start;
  }

  #write(frame: MediaFrame, track: TsTrack, into: PacketBuffer): void {
    const { payload } = frame;
    const isVideo = frame.kind === 'video';
    const prefix = isVideo && frame.isKeyframe ? track.keyframePrefix : track.prefix;
    const bodyStart = isVideo ? delimiterEnd(payload, frame.codec === 'h265') : 0;
    const sizeBytes = frame.codec === 'opus' ? Math.floor(payload.length / 255) + 1 : 0;

    const pts90k = to90k(frame.ptsMs);
    const dts90k = to90k(frame.dtsMs);
    const headerBytes = pts90k === dts90k ? 14 : 19;
    const pesBytes = headerBytes + prefix.length + sizeBytes + payload.length - bodyStart;
    // PES_packet_length counts from behind itself. 0 is "until the next one begins", allowed for video only.
    const pesLength = pesBytes - 6 > 0xffff ? 0 : pesBytes - 6;
    if (pesLength === 0 && !isVideo) throw new MalformedMedia('audio frame is too long');

    const isClock = isVideo || !this.#video;
    const needsClock = !isClock && this.#isClockDue(dts90k);
    const clock90k = isClock || needsClock ? this.#advanceClock(dts90k) : -1;
    const clockField = isClock ? 8 : 0;
    const packets = Math.ceil((pesBytes + clockField) / (packetBytes - 4)) + (needsClock ? 1 : 0);
    const start = into.reserve(packets * packetBytes);
    const end = into.length;
    const out = into.memory;

    // The PES packet is laid out at the end, then dealt forward into packets: two short copies and no memory between.
    const pesStart = end - pesBytes;
    writePesHeader(out, pesStart, track.streamId, pesLength, pts90k, dts90k);
    let at = pesStart + headerBytes;
    out.set(prefix, at);
    if (frame.codec === 'aac') writeAdtsLength(out, at, payload.length);
    at += prefix.length;
    if (sizeBytes > 0) at = writeOpusSize(out, at, payload.length);
    payload.copy(out, at, bodyStart);
    if (isVideo) writeStartCodes(out, at, end);

    if (needsClock && this.#video) writePcrPacket(out, start, this.#video, clock90k);
    const from = needsClock ? start + packetBytes : start;
    writePesPackets(out, from, { start: pesStart, end }, track, isClock ? clock90k : -1, frame.isKeyframe);
  }

  #buildTables(): void {
    this.#tableVersion = (this.#tableVersion + 1) & 0x1f;
    const tracks: TsTrack[] = [];
    if (this.#video) tracks.push(this.#video);
    if (this.#audio) tracks.push(this.#audio);
    this.#pat = patSection(0);
    // 0x1fff: no clock, for a program without streams.
    this.#pmt = pmtSection(this.#tableVersion, tracks[0]?.pid ?? 0x1fff, tracks);
  }

  #isClockDue(dts90k: number): boolean {
    return this.#pcr90k !== undefined && dts90k - pcrDelay90k - this.#pcr90k >= pcrInterval90k;
  }

  /** Audio and video are not in perfect order; the clock still never runs backwards, except when the timeline does. */
  #advanceClock(dts90k: number): number {
    const target = Math.max(0, dts90k - pcrDelay90k);
    const last = this.#pcr90k;
    const next = last !== undefined && target < last && last - target < 90_000 ? last : target;
    this.#pcr90k = next;
    return next;
  }
}

/** Publishers that send a delimiter of their own get ours instead: where it ends, or 0. */
function delimiterEnd(payload: Buffer, isH265: boolean): number {
  if (payload.length < 5) throw new MalformedMedia('picture is too short');
  const header = payload.readUInt8(4);
  const isDelimiter = isH265 ? h265NalType(header) === 35 : h264NalType(header) === 9;
  const end = 4 + payload.readUInt32BE(0);
  return isDelimiter && end < payload.length ? end : 0;
}

/** ISO 13818-1, 2.4.3.6: data is aligned with the start of an access unit. */
function writePesHeader(out: Buffer, at: number, streamId: number, length: number, pts: number, dts: number): void {
  const hasDts = pts !== dts;
  out[at] = 0;
  out[at + 1] = 0;
  out[at + 2] = 1;
  out[at + 3] = streamId;
  out[at + 4] = length >> 8;
  out[at + 5] = length & 0xff;
  out[at + 6] = 0x84;
  out[at + 7] = hasDts ? 0xc0 : 0x80;
  out[at + 8] = hasDts ? 10 : 5;
  writeTimestamp(out, at + 9, hasDts ? 3 : 2, pts);
  if (hasDts) writeTimestamp(out, at + 14, 1, dts);
}

/** au_size: as many 255 as fit, then the rest. */
function writeOpusSize(out: Buffer, from: number, size: number): number {
  let at = from;
  let left = size;
  for (; left >= 255; left -= 255) out[at++] = 255;
  out[at++] = left;
  return at;
}

/** Turns the 4-byte lengths between `from` and `end` into start codes, which take the same room. */
function writeStartCodes(out: Buffer, from: number, end: number): void {
  let at = from;
  while (at < end) {
    if (at + 4 > end) throw new MalformedMedia('NAL length is cut off');
    const length = out.readUInt32BE(at);
    if (length > end - at - 4) throw new MalformedMedia('NAL unit runs past its picture');
    out.writeUInt32BE(1, at);
    at += 4 + length;
  }
}
