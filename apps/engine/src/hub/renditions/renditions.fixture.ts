import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { AudioConfig, MediaFrame, TrackConfig, VideoConfig } from '@weir/media';
import { MpegTsDemuxer } from '@weir/media/mpegts-demuxer';
import { createLog } from '@weir/plane';
import { client, place } from '../frames.fixture.ts';
import type { Packager } from '../packager.ts';
import { type Publication, Stream } from '../stream.ts';
import { Renditions } from './renditions.ts';

/** A recording taken apart. Times begin near zero. */
export interface Clip {
  readonly video: VideoConfig | undefined;
  readonly audio: AudioConfig | undefined;
  readonly frames: readonly MediaFrame[];
}

const encoders = {
  plain: ['-c:v', 'libx264', '-preset', 'ultrafast', '-bf', '0', '-g', '25'],
  bFrames: ['-c:v', 'libx264', '-preset', 'veryfast', '-bf', '2', '-g', '25'],
  aac: ['-c:a', 'aac', '-ar', '44100', '-ac', '2'],
  mp3: ['-c:a', 'libmp3lame', '-ar', '44100'],
  opus: ['-c:a', 'libopus', '-ac', '2', '-frame_duration', '20'],
  opusMono: ['-c:a', 'libopus', '-ac', '1', '-frame_duration', '20'],
} as const;

/** Has ffmpeg record something. Sound is a tone of 440 Hz. */
export function record(seconds: number, ...parts: readonly (keyof typeof encoders)[]): Clip {
  const isVideo = (part: string) => part === 'plain' || part === 'bFrames';
  const inputs = parts.flatMap((part) => [
    '-f',
    'lavfi',
    '-i',
    isVideo(part) ? 'testsrc2=size=320x180:rate=25' : 'sine',
  ]);
  const codecs = parts.flatMap((part) => encoders[part]);
  const container = ['-pes_payload_size', '0', '-f', 'mpegts', 'pipe:1'];
  const args = ['-v', 'error', ...inputs, ...codecs, '-pix_fmt', 'yuv420p', '-t', String(seconds), ...container];
  const demuxer = new MpegTsDemuxer();
  const bytes = execFileSync('ffmpeg', args, { maxBuffer: 256 * 1024 * 1024 });
  let video: VideoConfig | undefined;
  let audio: AudioConfig | undefined;
  const frames: MediaFrame[] = [];
  for (const item of [...demuxer.push(bytes), ...demuxer.flush()]) {
    if (item.type === 'frame') frames.push(item.frame);
    if (item.type !== 'config') continue;
    if (item.config.kind === 'video') video ??= item.config;
    else audio ??= item.config;
  }
  frames.sort((a, b) => a.dtsMs - b.dtsMs);
  return { video, audio, frames };
}

export type Seen =
  | { readonly type: 'config'; readonly config: TrackConfig; readonly at: number }
  | { readonly type: 'frame'; readonly frame: MediaFrame; readonly at: number }
  | { readonly type: 'seam' | 'close'; readonly at: number };

/** A packager that keeps everything, with the time it came. */
export class Watcher implements Packager {
  readonly seen: Seen[] = [];

  onConfig(config: TrackConfig): void {
    this.seen.push({ type: 'config', config, at: performance.now() });
  }

  onFrame(frame: MediaFrame): void {
    this.seen.push({ type: 'frame', frame, at: performance.now() });
  }

  onDiscontinuity(): void {
    this.seen.push({ type: 'seam', at: performance.now() });
  }

  close(): void {
    this.seen.push({ type: 'close', at: performance.now() });
  }

  frames(kind?: MediaFrame['kind']): MediaFrame[] {
    const all = this.seen.flatMap((item) => (item.type === 'frame' ? [item.frame] : []));
    return kind ? all.filter((frame) => frame.kind === kind) : all;
  }

  codecs(): string[] {
    return this.seen.flatMap((item) => (item.type === 'config' ? [item.config.codec] : []));
  }
}

/** A stream, its renditions and a publisher that sends clips. */
export class Stage {
  readonly stream = new Stream({ key: 'live/one', place, returnMs: 60_000, onOver: () => undefined });
  readonly renditions: Renditions;
  publication: Publication;

  constructor(options: Partial<ConstructorParameters<typeof Renditions>[0]> = {}) {
    this.renditions = new Renditions({ log: createLog('test', 'error'), ...options });
    this.publication = this.stream.publish(client());
  }

  configs({ video, audio }: Clip): void {
    if (video) this.publication.config(video);
    if (audio) this.publication.config(audio);
  }

  /** In real time; `onSent` sees each frame and when it went. */
  async play(clip: Clip, onSent: (frame: MediaFrame, at: number) => void = () => undefined): Promise<void> {
    this.configs(clip);
    await this.send(clip.frames, onSent);
  }

  async send(
    frames: readonly MediaFrame[],
    onSent: (frame: MediaFrame, at: number) => void = () => undefined,
  ): Promise<void> {
    const [first] = frames;
    const began = performance.now();
    for (const frame of frames) {
      const waitMs = frame.dtsMs - (first?.dtsMs ?? 0) - (performance.now() - began);
      if (waitMs > 1) await sleep(waitMs);
      onSent(frame, performance.now());
      this.publication.frame(frame);
    }
  }

  async close(): Promise<void> {
    this.stream.close();
    await this.renditions.close();
  }
}

export const isAlive = (pid: number) => existsSync(`/proc/${pid}`);

/** The children of this process that run ffmpeg, or what stands in for it. */
export function childrenNamed(name: string): number[] {
  const pids = readdirSync('/proc').filter((entry) => /^\d+$/.test(entry));
  return pids.map(Number).filter((pid) => {
    try {
      const [, comm = '', , ppid] = /^\d+ \((.*)\) (\S) (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? [];
      return comm === name && Number(ppid) === process.pid;
    } catch {
      return false;
    }
  });
}

export async function until(check: () => boolean, what: string, withinMs = 10_000): Promise<void> {
  for (const began = performance.now(); !check(); await sleep(10)) {
    if (performance.now() - began > withinMs) throw new Error(`never: ${what}`);
  }
}
