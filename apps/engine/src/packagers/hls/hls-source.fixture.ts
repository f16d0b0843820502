import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FinishedSegment, SegmentPlace } from '@weir/engine-api';
import type { AudioConfig, MediaFrame, TrackConfig, VideoConfig } from '@weir/media';
import { FlvDemuxer } from '@weir/media/flv-demuxer';
import { defaultVhost, streamKey } from '@weir/streams';
import { onTestFinished } from 'vitest';
import { madeOnce } from '../../../../../tests/made-once.fixture.ts';
import type { ClientInfo } from '../../hub/clients/client-info.ts';
import type { Gate } from '../../hub/clients/gate.ts';
import type { Packager } from '../../hub/packager.ts';
import { Qualities } from '../../hub/qualities/qualities.ts';
import { StreamSubtitles } from '../../hub/stream-subtitles.ts';
import { AudioTracks } from '../../hub/tracks/audio-tracks.ts';
import type { HlsClock } from './hls-clock.ts';
import type { HlsSource } from './hls-stream.ts';

export const startOfTime = Date.UTC(2026, 0, 2, 3, 4, 5);

export class FakeClock implements HlsClock {
  #ms = 0;
  dateMs = () => startOfTime + this.#ms;
  elapsedMs = () => this.#ms;
  pass(ms: number): void {
    this.#ms += ms;
  }
}

/** A frame of no content, for what looks at times alone. */
export function frameAt(dtsMs: number, kind: 'video' | 'audio', isKeyframe = kind === 'audio'): MediaFrame {
  const codec = kind === 'video' ? 'h264' : 'aac';
  return { kind, codec, dtsMs, ptsMs: dtsMs, isKeyframe, payload: Buffer.from([0, 0, 0, 1, 9]) };
}

export interface Sample {
  readonly configs: readonly TrackConfig[];
  readonly frames: readonly MediaFrame[];
}

const samples = new Map<string, Sample>();

/** Real media: 25 pictures a second with a keyframe each second and B-frames between, and a tone. */
export function sample(seconds: number, { size = '160x120', audio = true, video = true } = {}): Sample {
  const name = `${seconds} ${size} ${audio} ${video}`;
  const known = samples.get(name);
  if (known) return known;
  const picture = ['-f', 'lavfi', '-i', `testsrc=size=${size}:rate=25:duration=${seconds}`];
  const tone = ['-f', 'lavfi', '-i', `sine=sample_rate=48000:duration=${seconds}`];
  const x264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-bf', '2', '-g', '25', '-sc_threshold', '0'];
  const args = [
    ...(video ? picture : []),
    ...(audio ? tone : []),
    ...(video ? x264 : []),
    ...(audio ? ['-c:a', 'aac'] : []),
  ];
  const items = new FlvDemuxer().push(readFileSync(madeOnce([...args, '-pix_fmt', 'yuv420p'], 'flv')));
  const made = {
    configs: items.flatMap((item) => (item.type === 'config' ? [item.config] : [])),
    frames: items.flatMap((item) => (item.type === 'frame' ? [item.frame] : [])),
  };
  samples.set(name, made);
  return made;
}

export const publisherInfo: ClientInfo = {
  id: 'publisher',
  kind: 'rtmp-publish',
  address: '192.0.2.1',
  place: { vhost: defaultVhost, app: 'live', name: 'show' },
  param: '',
  tcUrl: '',
  pageUrl: '',
  connectedAt: new Date(startOfTime),
};

/** The hub's stream, as far as HLS sees it. */
export class FakeSource implements HlsSource {
  readonly key: string;
  readonly place;
  readonly metadata = {};
  readonly subtitles = new StreamSubtitles(() => this.#cache.at(-1)?.dtsMs ?? 0);
  readonly #beside = {
    newestMs: () => this.#cache.at(-1)?.dtsMs ?? 0,
    place: (frame: MediaFrame) => frame,
    fault: (error: unknown) => {
      throw error;
    },
  };
  readonly qualities = new Qualities({ ...this.#beside, streamVideo: () => this.video });
  readonly audioTracks = new AudioTracks(this.#beside);
  video: VideoConfig | undefined;
  audio: AudioConfig | undefined;
  isDraining = false;
  readonly isStarting = false;
  publisher: { info: ClientInfo } | undefined = { info: publisherInfo };
  #packagers: Packager[] = [];
  #cache: MediaFrame[] = [];
  readonly #clock: FakeClock;

  constructor(clock: FakeClock, app = 'live', name = 'show', vhost = defaultVhost) {
    this.#clock = clock;
    this.place = { vhost, app, name };
    this.key = streamKey(this.place);
  }

  get isLive(): boolean {
    return this.publisher !== undefined;
  }

  cached(): readonly MediaFrame[] {
    return this.#cache;
  }

  attach(packager: Packager): void {
    this.#packagers.push(packager);
    if (this.video) packager.onConfig(this.video);
    if (this.audio) packager.onConfig(this.audio);
  }

  detach(packager: Packager): void {
    this.#packagers = this.#packagers.filter((other) => other !== packager);
  }

  config(config: TrackConfig): void {
    if (config.kind === 'video') this.video = config;
    else this.audio = config;
    for (const packager of this.#packagers) packager.onConfig(config);
  }

  missing(kind: TrackConfig['kind']): void {
    this[kind] = undefined;
    for (const packager of this.#packagers) packager.onTrackMissing?.(kind);
  }

  /** The clock goes with the frames. */
  frame(frame: MediaFrame): void {
    this.#clock.pass(Math.max(0, frame.dtsMs - (this.#cache.at(-1)?.dtsMs ?? frame.dtsMs)));
    if (frame.kind === 'video' && frame.isKeyframe) this.#cache = [];
    this.#cache.push(frame);
    for (const packager of this.#packagers) packager.onFrame(frame);
  }

  play({ configs, frames }: Sample, fromMs = 0): void {
    for (const config of configs) this.config(config);
    for (const frame of frames) this.frame({ ...frame, dtsMs: frame.dtsMs + fromMs, ptsMs: frame.ptsMs + fromMs });
  }

  seam(): void {
    this.#cache = [];
    for (const packager of this.#packagers) packager.onDiscontinuity();
  }

  end(): void {
    this.publisher = undefined;
    const packagers = this.#packagers;
    this.#packagers = [];
    for (const packager of packagers) packager.close();
  }
}

export class FakeGate implements Gate {
  readonly played: ClientInfo[] = [];
  readonly stopped: ClientInfo[] = [];
  readonly segments: (FinishedSegment & SegmentPlace & { client: ClientInfo })[] = [];
  refusal: Error | undefined;
  async publish(): Promise<undefined> {}
  unpublish(): void {}
  publishRefused(): void {}
  async play(client: ClientInfo): Promise<void> {
    if (this.refusal) throw this.refusal;
    this.played.push(client);
  }
  stop(client: ClientInfo): void {
    this.stopped.push(client);
  }
  segment(segment: FinishedSegment, client: ClientInfo, place: SegmentPlace): void {
    this.segments.push({ ...segment, ...place, client });
  }
}

export async function temporaryDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'weir-hls-'));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  return directory;
}
