import { type AudioConfig, MalformedMedia, type MediaFrame, type VideoConfig } from '../../frame.ts';
import { writeBoxHeader } from './boxes.ts';
import { type Fmp4Track, nonSyncSampleFlags, syncSampleFlags, writeInitSegment } from './init-segment.ts';
import { AudioSampleClock, type SampleClock, type SampleTimes, VideoSampleClock } from './sample-clock.ts';

/** The times of the frames that come after these, where they are known. */
export interface NextFrames {
  readonly videoDtsMs?: number | undefined;
  readonly audioDtsMs?: number | undefined;
}

interface Fmp4MuxerOptions {
  readonly video?: VideoConfig | undefined;
  readonly audio?: AudioConfig | undefined;
  readonly firstSequence?: number;
}

interface Track extends Fmp4Track {
  readonly clock: SampleClock;
}

/** Part of a fragment that belongs to one track. */
interface Run extends SampleTimes {
  readonly track: Track;
  readonly frames: readonly MediaFrame[];
  /** Sizes of the 'traf' and of the samples. */
  readonly boxBytes: number;
  readonly dataBytes: number;
}

const videoTimescale = 90_000;

const fragmentHeaderBytes = 16;
const trackFragmentHeaderBytes = 16;
const decodeTimeBytes = 20;
const runHeaderBytes = 20;
const dataHeaderBytes = 8;

/** data-offset, duration and size per sample; for video also flags and composition offsets (ISO 14496-12, 8.8.8.1). */
const audioRunFlags = 0x000301;
const videoRunFlags = 0x000f01;
const defaultBaseIsMoof = 0x020000;

interface Fragment {
  readonly runs: readonly Run[];
  readonly moofBytes: number;
  readonly dataBytes: number;
}

/**
 * A fragment holds its video before its audio. Readers that cannot seek, such as ffmpeg in HLS, take audio that comes ten
 * seconds of video later for a jump of the clock, and shift it.
 */
const longestFragmentMs = 1000;

/** Frames → fragmented MP4 as CMAF and LL-HLS use it: one init segment, then a moof and mdat per part or second. */
export class Fmp4Muxer {
  readonly #tracks: readonly Track[];
  #sequence: number;

  /** `firstSequence`: number of the first fragment. */
  constructor({ video, audio, firstSequence = 0 }: Fmp4MuxerOptions) {
    this.#sequence = firstSequence;
    const tracks: Track[] = [];
    if (video) {
      const clock = new VideoSampleClock(video, videoTimescale);
      tracks.push({ id: 1, timescale: videoTimescale, config: video, clock });
    }
    if (audio) {
      const timescale = audio.sampleRate;
      if (timescale <= 0) throw new MalformedMedia('audio without a sample rate');
      tracks.push({ id: 2, timescale, config: audio, clock: new AudioSampleClock(audio, timescale) });
    }
    this.#tracks = tracks;
  }

  initSegment(): Buffer {
    return writeInitSegment(this.#tracks);
  }

  /**
   * A moof and mdat for each second of these frames, in decode order, behind `room` bytes; only the room when none of them
   * belongs to a track.
   */
  fragments(frames: readonly MediaFrame[], next: NextFrames = {}, room = 0): Buffer {
    const fragments = this.#plan(frames, next);
    const bytes = fragments.reduce((sum, { moofBytes, dataBytes }) => sum + moofBytes + dataBytes, room);
    if (fragments.length === 0) return Buffer.alloc(room);
    const out = Buffer.allocUnsafe(bytes);
    let at = room;
    for (const fragment of fragments) at = writeFragment(out, at, fragment, this.#sequence++);
    return out;
  }

  #plan(frames: readonly MediaFrame[], next: NextFrames): Fragment[] {
    const stretches = splitBySecond(frames);
    // Each ends where the next frame of the same track begins.
    const ends: NextFrames[] = [];
    let end = next;
    for (const stretch of stretches.toReversed()) {
      ends.unshift(end);
      end = {
        videoDtsMs: stretch.find(({ kind }) => kind === 'video')?.dtsMs ?? end.videoDtsMs,
        audioDtsMs: stretch.find(({ kind }) => kind === 'audio')?.dtsMs ?? end.audioDtsMs,
      };
    }
    return stretches.flatMap((stretch, index) => this.#planOne(stretch, ends[index] ?? next) ?? []);
  }

  #planOne(frames: readonly MediaFrame[], next: NextFrames): Fragment | undefined {
    const runs: Run[] = [];
    let moofBytes = 8 + fragmentHeaderBytes;
    let dataBytes = dataHeaderBytes;
    for (const track of this.#tracks) {
      const run = runOf(track, frames, track.config.kind === 'video' ? next.videoDtsMs : next.audioDtsMs);
      if (run.frames.length === 0) continue;
      runs.push(run);
      moofBytes += run.boxBytes;
      dataBytes += run.dataBytes;
    }
    return runs.length === 0 ? undefined : { runs, moofBytes, dataBytes };
  }
}

/** Splits into stretches of at most a second in each track. */
function splitBySecond(frames: readonly MediaFrame[]): MediaFrame[][] {
  const stretches: MediaFrame[][] = [];
  let stretch: MediaFrame[] = [];
  let firstMs: Partial<Record<MediaFrame['kind'], number>> = {};
  for (const frame of frames) {
    const { kind, dtsMs } = frame;
    if (stretch.length === 0 || dtsMs - (firstMs[kind] ?? dtsMs) >= longestFragmentMs) {
      stretch = [];
      stretches.push(stretch);
      firstMs = {};
    }
    firstMs[kind] ??= dtsMs;
    stretch.push(frame);
  }
  return stretches;
}

function writeFragment(out: Buffer, from: number, { runs, moofBytes, dataBytes }: Fragment, sequence: number): number {
  let at = writeBoxHeader(out, from, moofBytes, 'moof');
  at = writeBoxHeader(out, at, fragmentHeaderBytes, 'mfhd');
  at = out.writeUInt32BE(0, at);
  at = out.writeUInt32BE(sequence >>> 0, at);
  let dataOffset = moofBytes + dataHeaderBytes;
  for (const run of runs) {
    at = writeTrackFragment(out, at, run, dataOffset);
    dataOffset += run.dataBytes;
  }
  at = writeBoxHeader(out, at, dataBytes, 'mdat');
  for (const run of runs) for (const { payload } of run.frames) at += payload.copy(out, at);
  return at;
}

function runOf(track: Track, all: readonly MediaFrame[], nextDtsMs: number | undefined): Run {
  const { kind, codec } = track.config;
  const frames: MediaFrame[] = [];
  let dataBytes = 0;
  for (const frame of all) {
    if (frame.kind !== kind || frame.codec !== codec) continue;
    frames.push(frame);
    dataBytes += frame.payload.length;
  }
  const sampleBytes = kind === 'video' ? 16 : 8;
  const headers = 8 + trackFragmentHeaderBytes + decodeTimeBytes + runHeaderBytes;
  const boxBytes = headers + frames.length * sampleBytes;
  return { track, frames, boxBytes, dataBytes, ...track.clock.times(frames, nextDtsMs) };
}

function writeTrackFragment(out: Buffer, from: number, run: Run, dataOffset: number): number {
  const isVideo = run.track.config.kind === 'video';
  let at = writeBoxHeader(out, from, run.boxBytes, 'traf');
  at = writeBoxHeader(out, at, trackFragmentHeaderBytes, 'tfhd');
  at = out.writeUInt32BE(defaultBaseIsMoof, at);
  at = out.writeUInt32BE(run.track.id, at);

  at = writeBoxHeader(out, at, decodeTimeBytes, 'tfdt');
  at = out.writeUInt32BE(0x01000000, at); // version 1: 64 bits
  at = out.writeUInt32BE(Math.floor(run.start / 2 ** 32), at);
  at = out.writeUInt32BE(run.start % 2 ** 32, at);

  const trunBytes = from + run.boxBytes - at;
  at = writeBoxHeader(out, at, trunBytes, 'trun');
  at = out.writeUInt32BE(0x01000000 | (isVideo ? videoRunFlags : audioRunFlags), at); // version 1: signed offsets
  at = out.writeUInt32BE(run.frames.length, at);
  at = out.writeUInt32BE(dataOffset, at);
  for (const [index, frame] of run.frames.entries()) {
    at = out.writeUInt32BE(Math.min(run.durations[index] ?? 0, 0xffffffff), at);
    at = out.writeUInt32BE(frame.payload.length, at);
    if (!isVideo) continue;
    at = out.writeUInt32BE(frame.isKeyframe ? syncSampleFlags : nonSyncSampleFlags, at);
    at = out.writeInt32BE(compositionOffset(frame), at);
  }
  return at;
}

function compositionOffset({ ptsMs, dtsMs }: MediaFrame): number {
  const offset = Math.round(ptsMs * 90) - Math.round(dtsMs * 90);
  return Math.max(-0x80000000, Math.min(0x7fffffff, offset));
}
