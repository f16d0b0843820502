import type { VideoConfig } from '@weir/media';
import { MpegTsDemuxer } from '@weir/media/mpegts-demuxer';
import type { Log } from '@weir/plane';
import { Child } from '@weir/process';
import { builtInSlates } from './built-in-slates.ts';
import type { SlateLoop } from './slate-loop.ts';
import { slatePicture } from './slate-picture.ts';

/** Loops that are kept; each has some tens of kilobytes. */
const mostLoops = 64;
const makeWithinMs = 30_000;
const mostOutputBytes = 16 * 1024 * 1024;
/** After a failure, such as a missing ffmpeg. */
const retryMs = 30_000;
const usualFps = 25;

/** The form of a stream that a slate must have, so that it can be cut in and recorded with it. */
interface SlateForm {
  readonly codec: 'h264' | 'h265';
  readonly width: number;
  readonly height: number;
  readonly fps: number;
  readonly profile: string;
}

interface Made {
  loop: SlateLoop | undefined;
  failedAtMs: number;
  running: Promise<void> | undefined;
}

interface Options {
  readonly log: Log;
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
  readonly #made = new Map<string, Made>();
  readonly #children = new Set<Promise<unknown>>();
  #builtIn: readonly SlateLoop[] | undefined;

  constructor(options: Options) {
    this.#options = options;
  }

  /** Begins to make what is missing. */
  prepare(video: VideoConfig): void {
    const form = formOf(video);
    if (!form) return;
    const key = JSON.stringify(form);
    const nowMs = (this.#options.nowMs ?? performance.now.bind(performance))();
    const known = this.#made.get(key);
    if (known?.loop || known?.running || (known && nowMs - known.failedAtMs < retryMs)) return;
    const made: Made = known ?? { loop: undefined, failedAtMs: 0, running: undefined };
    this.#made.set(key, made);
    for (const oldest of this.#made.keys()) {
      if (this.#made.size <= mostLoops) break;
      if (oldest !== key) this.#made.delete(oldest);
    }
    made.running = this.#make(form)
      .then((loop) => {
        made.loop = loop;
      })
      .catch((error: unknown) => {
        made.failedAtMs = nowMs;
        this.#options.log.warn({ err: error, ...form }, 'the slate was not made, a built-in one stands in');
      })
      .finally(() => {
        made.running = undefined;
      });
  }

  /** The best loop there is now for what it stands in for; undefined of a codec without one. */
  find(video: VideoConfig): SlateLoop | undefined {
    this.prepare(video);
    const form = formOf(video);
    if (!form) return undefined;
    const loop = this.#made.get(JSON.stringify(form))?.loop;
    if (loop || form.codec !== 'h264') return loop;
    this.#builtIn ??= builtInSlates();
    const distance = ({ video: { width, height } }: SlateLoop) =>
      Math.abs(width - form.width) + Math.abs(height - form.height);
    return this.#builtIn.toSorted((a, b) => distance(a) - distance(b))[0];
  }

  async close(): Promise<void> {
    await Promise.all(this.#children);
  }

  async #make(form: SlateForm): Promise<SlateLoop> {
    const chunks: Buffer[] = [];
    let bytes = 0;
    const child = new Child({
      command: this.#options.ffmpeg ?? 'ffmpeg',
      args: slateArgs(form),
      niceness: 5,
      onOutput: (chunk) => {
        bytes += chunk.length;
        if (bytes <= mostOutputBytes) chunks.push(chunk);
        else child.kill();
      },
      onEnd: () => undefined,
    });
    this.#children.add(child.ended);
    const patience = setTimeout(() => child.kill(), makeWithinMs).unref();
    try {
      child.write(slatePicture());
      const end = await child.stop();
      const loop = readLoop(Buffer.concat(chunks), form);
      if (!loop) throw new Error(`ffmpeg made no slate: ${JSON.stringify(end)}`);
      return loop;
    } finally {
      clearTimeout(patience);
      this.#children.delete(child.ended);
    }
  }
}

/** Undefined for a codec in which no slate is made. */
function formOf({ codec, width, height, fps, profile }: VideoConfig): SlateForm | undefined {
  if ((codec !== 'h264' && codec !== 'h265') || width < 16 || height < 16) return undefined;
  // Both encoders want even sizes in the usual format of color.
  const even = (length: number) => Math.floor(length / 2) * 2;
  return { codec, width: even(width), height: even(height), fps: fps > 0 && fps <= 120 ? fps : usualFps, profile };
}

/** The picture from standard input → one group and the first frame of the next, as MPEG-TS. */
function slateArgs({ codec, width, height, fps, profile }: SlateForm): string[] {
  const group = Math.max(1, Math.round(fps));
  const fit = `scale=${width}:${height}:force_original_aspect_ratio=decrease`;
  const pad = `pad=${width}:${height}:-1:-1:color=0x10151d`;
  const filter = `loop=loop=-1:size=1:start=0,${fit},${pad},setsar=1,format=yuv420p,setpts=N/(${fps}*TB)`;
  const h264 = ['-c:v', 'libx264', '-preset', 'fast', '-tune', 'stillimage', '-profile:v', h264Profile(profile)];
  const h265 = ['-c:v', 'libx265', '-preset', 'fast', '-x265-params', `log-level=none:bframes=0:scenecut=0:open-gop=0`];
  return [
    ...['-hide_banner', '-nostats', '-loglevel', 'error'],
    ...['-f', 'png_pipe', '-i', 'pipe:0', '-vf', filter, '-r', String(fps), '-frames:v', String(group + 2), '-an'],
    ...(codec === 'h264' ? [...h264, '-sc_threshold', '0'] : h265),
    ...['-crf', '28', '-bf', '0', '-g', String(group), '-keyint_min', String(group)],
    ...['-f', 'mpegts', '-pes_payload_size', '0', '-muxdelay', '0', '-muxpreload', '0', 'pipe:1'],
  ];
}

function h264Profile(profile: string): string {
  if (/baseline/i.test(profile)) return 'baseline';
  return /high/i.test(profile) ? 'high' : 'main';
}

function readLoop(bytes: Buffer, form: SlateForm): SlateLoop | undefined {
  const demuxer = new MpegTsDemuxer();
  let video: VideoConfig | undefined;
  const pictures: SlateLoop['pictures'][number][] = [];
  for (const item of demuxer.push(bytes)) {
    if (item.type === 'config' && item.config.kind === 'video') video ??= item.config;
    if (item.type === 'frame' && item.frame.kind === 'video') {
      if (item.frame.isKeyframe && pictures.length > 0) break;
      pictures.push({ isKeyframe: item.frame.isKeyframe, payload: Buffer.from(item.frame.payload) });
    }
  }
  if (!video || !pictures[0]?.isKeyframe) return undefined;
  return { video, pictures, intervalMs: 1000 / form.fps };
}
