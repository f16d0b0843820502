import { open } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type AudioConfig,
  joinObus,
  type MediaFrame,
  obuType,
  sequenceHeader,
  splitObus,
  toAv1Config,
  toVp9Config,
  type VideoCodec,
  type VideoConfig,
} from '@weir/media';
import { MpegTsDemuxer } from '@weir/media/mpegts-demuxer';
import type { Log } from '@weir/plane';
import { Child } from '@weir/process';
import { builtInSlates } from './built-in-slates.ts';
import {
  aacFrameSamples,
  isTsCodec,
  type MusicForm,
  musicArgs,
  musicFormOf,
  type SlateForm,
  slateArgs,
  slateEncoders,
  slateFormOf,
} from './slate-args.ts';
import type { SlateLoop } from './slate-loop.ts';
import { slatePicture } from './slate-picture.ts';

/** The owner's part of a slate: names of files that the control plane made, empty for the picture of the product and silence. */
export interface SlateArt {
  readonly picture: string;
  readonly music: string;
  readonly leastKbps: number;
}

export const plainArt: SlateArt = { picture: '', music: '', leastKbps: 0 };

/** The form of slates before there is an input. */
export const usualVideo: VideoConfig = {
  kind: 'video',
  codec: 'h264',
  record: Buffer.alloc(0),
  width: 1280,
  height: 720,
  profile: 'Main',
  level: '',
  fps: 25,
};

/** Loops that are kept, by number and size. A still picture has some tens of kilobytes, a film some megabytes. */
const mostLoops = 64;
const mostKeptBytes = 64 * 1024 * 1024;
const makeWithinMs = 120_000;
const mostOutputBytes = 32 * 1024 * 1024;
/** After a failure, such as a missing ffmpeg. */
const retryMs = 30_000;
/** Encoders at once: a console that saves many programs must not starve the streams. */
const mostAtOnce = 2;

interface Made<T> {
  value: T | undefined;
  bytes: number;
  failedAtMs: number | undefined;
  running: Promise<void> | undefined;
}

interface Options {
  readonly log: Log;
  /** Files of the owner's slates. */
  readonly directory?: string;
  /** The program; found on the path unless it is one itself. */
  readonly ffmpeg?: string;
  readonly nowMs?: () => number;
}

/**
 * Slates by their form. Made once by ffmpeg, ahead of need, and sent without any encoder running. Until one is there, and where ffmpeg is
 * missing, a built-in one of the nearest size stands in.
 */
export class Slates {
  readonly #options: Options;
  readonly #loops = new Map<string, Made<SlateLoop>>();
  readonly #music = new Map<string, Made<readonly Buffer[]>>();
  readonly #children = new Set<Child>();
  readonly #waiting: (() => void)[] = [];
  #busy = 0;
  #isClosed = false;
  #builtIn: readonly SlateLoop[] | undefined;

  constructor(options: Options) {
    this.#options = options;
  }

  /** Begins to make what is missing. */
  prepare(video: VideoConfig, { picture }: SlateArt = plainArt): void {
    const form = slateFormOf(video);
    if (!form) return;
    const makes = () => this.#makeLoop(form, picture);
    this.#prepare(this.#loops, loopKey(form, picture), makes, ({ pictures }) =>
      pictures.reduce((sum, { payload }) => sum + payload.length, 0),
    );
  }

  /** Best available loop for the form of a stream; undefined for codecs without one. */
  find(video: VideoConfig, art: SlateArt = plainArt): SlateLoop | undefined {
    this.prepare(video, art);
    const form = slateFormOf(video);
    if (!form) return undefined;
    const own = this.#loops.get(loopKey(form, art.picture));
    // A picture that cannot be made now is no reason to show nothing.
    if (own?.failedAtMs !== undefined && art.picture !== '') this.prepare(video);
    const loop = own?.value ?? this.#loops.get(loopKey(form, ''))?.value ?? this.#nearest(form);
    return loop && withLeastBitrate(loop, art.leastKbps);
  }

  /** Frames of music for a stream with such audio; undefined for silence, and until they are there. */
  music(audio: AudioConfig, { music }: SlateArt): readonly Buffer[] | undefined {
    const form = music === '' ? undefined : musicFormOf(audio);
    if (!form) return undefined;
    const key = JSON.stringify([form, music]);
    const makes = () => this.#makeMusic(form, music);
    this.#prepare(this.#music, key, makes, (frames) => frames.reduce((sum, { length }) => sum + length, 0));
    return this.#music.get(key)?.value;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const child of this.#children) child.kill();
    for (const go of this.#waiting.splice(0)) go();
    await Promise.all([...this.#children].map(({ ended }) => ended));
  }

  #nearest({ codec, width, height }: SlateForm): SlateLoop | undefined {
    if (codec !== 'h264') return undefined;
    this.#builtIn ??= builtInSlates();
    const distance = ({ video }: SlateLoop) => Math.abs(video.width - width) + Math.abs(video.height - height);
    return this.#builtIn.toSorted((a, b) => distance(a) - distance(b))[0];
  }

  #prepare<T>(all: Map<string, Made<T>>, key: string, make: () => Promise<T>, bytesOf: (value: T) => number): void {
    const nowMs = (this.#options.nowMs ?? performance.now.bind(performance))();
    const known = all.get(key);
    if (this.#isClosed || known?.value !== undefined || known?.running) return;
    if (known?.failedAtMs !== undefined && nowMs - known.failedAtMs < retryMs) return;
    const made: Made<T> = known ?? { value: undefined, bytes: 0, failedAtMs: undefined, running: undefined };
    all.set(key, made);
    made.running = make()
      .then((value) => {
        made.value = value;
        made.bytes = bytesOf(value);
        made.failedAtMs = undefined;
        forgetOldest(all, key);
      })
      .catch((error: unknown) => {
        made.failedAtMs = nowMs;
        if (!this.#isClosed) this.#options.log.warn({ err: error, slate: key }, 'the slate was not made');
      })
      .finally(() => {
        made.running = undefined;
      });
  }

  async #makeLoop(form: SlateForm, picture: string): Promise<SlateLoop> {
    const { directory = '' } = this.#options;
    let failure: unknown;
    for (const encoder of slateEncoders[form.codec]) {
      try {
        const bytes = await this.#run(
          slateArgs(form, encoder, picture, directory),
          picture === '' ? slatePicture() : undefined,
        );
        const loop = readLoop(bytes, form, picture.endsWith('.mkv'));
        if (loop) return loop;
        failure = new Error(`${encoder} made no picture`);
      } catch (error) {
        failure = error;
      }
    }
    throw failure;
  }

  async #makeMusic(form: MusicForm, music: string): Promise<readonly Buffer[]> {
    const { directory = '' } = this.#options;
    const seconds = await flacSeconds(join(directory, music));
    const frames = Math.floor((seconds * form.sampleRate) / aacFrameSamples);
    const made = readMusic(await this.#run(musicArgs(form, music, frames, directory)), frames);
    if (!made) throw new Error('ffmpeg made no music');
    return made;
  }

  /** Standard output of one run of ffmpeg. */
  async #run(args: readonly string[], input?: Buffer): Promise<Buffer> {
    if (this.#busy >= mostAtOnce) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    if (this.#isClosed) throw new Error('closed');
    this.#busy += 1;
    const chunks: Buffer[] = [];
    let bytes = 0;
    const child = new Child({
      command: this.#options.ffmpeg ?? 'ffmpeg',
      args,
      niceness: 5,
      onOutput: (chunk) => {
        bytes += chunk.length;
        if (bytes <= mostOutputBytes) chunks.push(chunk);
        else child.kill();
      },
      onEnd: () => undefined,
    });
    this.#children.add(child);
    const patience = setTimeout(() => child.kill(), makeWithinMs).unref();
    try {
      if (input) child.finish(input);
      const { code, reason } = await child.ended;
      if (code !== 0) throw new Error(`ffmpeg: ${reason}`);
      return Buffer.concat(chunks);
    } finally {
      clearTimeout(patience);
      this.#children.delete(child);
      this.#busy -= 1;
      this.#waiting.shift()?.();
    }
  }
}

/** Length by the header: sample rate (20 bits), channels (3), depth (5), samples (36). */
async function flacSeconds(path: string): Promise<number> {
  const file = await open(path);
  try {
    const header = Buffer.alloc(26);
    await file.read(header, 0, header.length, 0);
    const rate = header.readUIntBE(18, 3) >> 4;
    return ((header.readUInt8(21) & 0x0f) * 2 ** 32 + header.readUInt32BE(22)) / Math.max(1, rate);
  } finally {
    await file.close();
  }
}

function loopKey(form: SlateForm, picture: string): string {
  return JSON.stringify([form, picture]);
}

function forgetOldest<T>(all: Map<string, Made<T>>, newest: string): void {
  let bytes = [...all.values()].reduce((sum, made) => sum + made.bytes, 0);
  for (const [key, made] of all) {
    if (all.size <= mostLoops && bytes <= mostKeptBytes) return;
    if (key === newest || made.running) continue;
    all.delete(key);
    bytes -= made.bytes;
  }
}

const h264Filler = Buffer.from([0x0c]);
const h265Filler = Buffer.from([38 << 1, 1]);
const av1Padding = Buffer.from([15 << 3]);
/** Ends filler in all of them. */
const trailing = Buffer.from([0x80]);

const padded = new WeakMap<SlateLoop, Map<number, SlateLoop>>();

/** The loop with at least this many kbit/s of video: platforms warn of less. VP9 has nothing to fill with. */
function withLeastBitrate(loop: SlateLoop, kbps: number): SlateLoop {
  if (kbps <= 0) return loop;
  const known = padded.get(loop) ?? new Map<number, SlateLoop>();
  padded.set(loop, known);
  const leastBytes = Math.ceil((kbps * loop.intervalMs) / 8);
  const pad = (picture: SlateLoop['pictures'][number]) => ({
    ...picture,
    payload: fill(loop.video.codec, picture.payload, leastBytes),
  });
  const found = known.get(kbps) ?? { ...loop, pictures: loop.pictures.map(pad) };
  known.set(kbps, found);
  return found;
}

function fill(codec: VideoCodec, payload: Buffer, leastBytes: number): Buffer {
  const missing = leastBytes - payload.length;
  if (missing < 16 || codec === 'vp9') return payload;
  if (codec === 'av1') {
    const padding = Buffer.concat([av1Padding, Buffer.alloc(missing - 4), trailing]);
    return joinObus([...splitObus(payload), padding]);
  }
  const head = codec === 'h264' ? h264Filler : h265Filler;
  // Length in four bytes before it, and the end.
  const nal = Buffer.concat([head, Buffer.alloc(missing - head.length - 5, 0xff), trailing]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(nal.length);
  return Buffer.concat([payload, length, nal]);
}

type Picture = SlateLoop['pictures'][number];

const temporalDelimiter = 2;
/** Header sizes of an IVF file and of each frame. */
const ivfHeaderBytes = 32;
const ivfFrameBytes = 12;

/** The loop in what ffmpeg made; undefined when there is none. `isFilm`: all of it, else the first group. */
function readLoop(bytes: Buffer, form: SlateForm, isFilm: boolean): SlateLoop | undefined {
  const { codec, fps, width, height } = form;
  const { video, pictures } = isTsCodec(codec) ? readTs(bytes) : readIvf(bytes, codec);
  const next = isFilm ? -1 : pictures.findIndex(({ isKeyframe }, at) => at > 0 && isKeyframe);
  const shown = next < 0 ? pictures : pictures.slice(0, next);
  if (!video || !shown[0]?.isKeyframe) return undefined;
  return { video: { ...video, width, height, fps }, pictures: shown, intervalMs: 1000 / fps };
}

function readTs(bytes: Buffer): { video: VideoConfig | undefined; pictures: Picture[] } {
  let video: VideoConfig | undefined;
  const pictures: Picture[] = [];
  const demuxer = new MpegTsDemuxer();
  for (const item of [...demuxer.push(bytes), ...demuxer.flush()]) {
    if (item.type === 'config' && item.config.kind === 'video') video ??= item.config;
    if (item.type === 'frame' && item.frame.kind === 'video') {
      pictures.push({ isKeyframe: item.frame.isKeyframe, payload: Buffer.from(item.frame.payload) });
    }
  }
  return { video, pictures };
}

function readIvf(bytes: Buffer, codec: VideoConfig['codec']): { video: VideoConfig | undefined; pictures: Picture[] } {
  let video: VideoConfig | undefined;
  const pictures: Picture[] = [];
  for (let at = ivfHeaderBytes; at + ivfFrameBytes <= bytes.length; ) {
    const length = bytes.readUInt32LE(at);
    const unit = bytes.subarray(at + ivfFrameBytes, at + ivfFrameBytes + length);
    at += ivfFrameBytes + length;
    if (codec === 'vp9') {
      // show_existing_frame and frame_type, behind the marker and the profile.
      const isKeyframe = ((unit[0] ?? 0) & 0x0c) === 0;
      if (isKeyframe) video ??= toVp9Config(unit);
      pictures.push({ isKeyframe, payload: Buffer.from(unit) });
      continue;
    }
    const obus = splitObus(unit).filter((obu) => obuType(obu) !== temporalDelimiter);
    const header = obus.find((obu) => obuType(obu) === sequenceHeader);
    if (header) video ??= toAv1Config(header);
    pictures.push({ isKeyframe: header !== undefined, payload: joinObus(obus) });
  }
  return { video, pictures };
}

/** Cuts one of three repetitions of music, so that its AAC frames can be repeated without a gap. */
function readMusic(bytes: Buffer, frames: number): readonly MediaFrame['payload'][] | undefined {
  const all: Buffer[] = [];
  const demuxer = new MpegTsDemuxer();
  for (const item of [...demuxer.push(bytes), ...demuxer.flush()]) {
    if (item.type === 'frame' && item.frame.kind === 'audio') all.push(Buffer.from(item.frame.payload));
  }
  const round = all.slice(frames, 2 * frames);
  return frames > 0 && round.length === frames ? round : undefined;
}
