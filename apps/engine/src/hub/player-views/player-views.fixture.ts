import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { AudioConfig, MediaFrame, TrackConfig, VideoConfig } from '@weir/media';
import { MpegTsDemuxer } from '@weir/media/mpegts-demuxer';
import { createLog } from '@weir/plane';
import { madeOnce } from '../../../../../tests/made-once.fixture.ts';
import { client, place } from '../frames.fixture.ts';
import type { Packager } from '../packager.ts';
import { type Publication, Stream } from '../stream.ts';
import type { PlayerView } from './player-view.ts';
import { PlayerViews } from './player-views.ts';

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
  const args = [...inputs, ...codecs, '-pix_fmt', 'yuv420p', '-t', String(seconds), '-pes_payload_size', '0'];
  const demuxer = new MpegTsDemuxer();
  const bytes = readFileSync(madeOnce(args, 'ts'));
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

type Seen =
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

/** A stream, its player views and a publisher that sends clips. */
export class PlayerViewHarness {
  readonly stream = new Stream({ key: 'live/one', place, returnMs: 60_000, onOver: () => undefined });
  readonly playerViews: PlayerViews;
  publication: Publication;
  /** Longest wait of a frame for the output of earlier ones. */
  patienceMs = 8000;

  constructor(options: Partial<ConstructorParameters<typeof PlayerViews>[0]> = {}) {
    this.playerViews = new PlayerViews({ log: createLog('test', 'error'), ...options });
    this.publication = this.stream.publish(client());
  }

  configs({ video, audio }: Clip): void {
    if (video) this.publication.config(video);
    if (audio) this.publication.config(audio);
  }

  /** Sends a clip; see `send`. What converts it is waited for, because it takes nothing before it is there. */
  async play(clip: Clip, watcher: Watcher, view?: PlayerView): Promise<void> {
    this.configs(clip);
    if (view) await until(() => view.state().isRunning, 'conversion starts');
    await this.send(clip.frames, watcher);
  }

  /**
   * Sends frames as fast as they come out at the other end: what is tested does not depend on how busy the machine is.
   * Nobody waits long for a track that does not come out.
   */
  async send(frames: readonly MediaFrame[], watcher: Watcher): Promise<void> {
    const [first] = frames;
    const before = { video: watcher.frames('video').length, audio: watcher.frames('audio').length };
    const newestMs = (kind: MediaFrame['kind']) => watcher.frames(kind).at(-1)?.dtsMs ?? 0;
    let offsetMs: number | undefined;
    for (const [index, frame] of frames.entries()) {
      const sentMs = frame.dtsMs - (first?.dtsMs ?? 0);
      const isDue = () => {
        const hasBegun = watcher.frames(frame.kind).length > (before[frame.kind] ?? 0);
        return hasBegun ? newestMs(frame.kind) - (offsetMs ?? 0) > sentMs - 400 : sentMs < 400;
      };
      const since = performance.now();
      while (!isDue() && performance.now() - since < this.patienceMs) await sleep(2);
      this.publication.frame(frame);
      // The first frame shows the position of the stream's clock.
      if (index === 0) offsetMs = this.stream.cached().at(-1)?.dtsMs ?? 0;
      if (index % 5 === 0) await sleep(1);
    }
  }

  async close(): Promise<void> {
    this.stream.close();
    await this.playerViews.close();
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

export async function until(check: () => boolean, what: string, withinMs = 60_000): Promise<void> {
  for (const began = performance.now(); !check(); await sleep(10)) {
    if (performance.now() - began > withinMs) throw new Error(`never: ${what}`);
  }
}
