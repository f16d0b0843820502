import type { HlsSettings } from '@weir/engine-api';
import { onTestFinished } from 'vitest';
import { quietLog } from '../../quiet-log.fixture.ts';
import { PlaylistChecker } from './check/playlist-checker.fixture.ts';
import { FakeClock, FakeGate, FakeSource, sample, temporaryDirectory } from './hls-source.fixture.ts';
import { HlsStreams } from './hls-streams.ts';

export const longSegments: HlsSettings = { noHlsCtx: false, shortSegments: false };

interface Shape {
  readonly seconds: number;
  /** True for the times of keyframes. */
  readonly isKeyframe: (ms: number) => boolean;
  readonly fps?: number;
  readonly audio?: boolean;
  readonly video?: boolean;
}

/** Stream whose plain and low-latency playlists are checked whenever they change. */
export class CheckedStream {
  readonly faults: string[] = [];
  readonly plainTexts: string[] = [];
  readonly lowTexts: string[] = [];
  readonly clock = new FakeClock();
  readonly gate = new FakeGate();
  readonly streams: HlsStreams;
  source = new FakeSource(this.clock);
  nowMs = 0;
  /** True while somebody watches with low latency. */
  isWatched = true;
  readonly #plain = new PlaylistChecker();
  readonly #low = new PlaylistChecker();
  readonly #media = sample(1);

  constructor(directory: string, settings: HlsSettings) {
    this.streams = new HlsStreams({ gate: this.gate, settings, directory, log: quietLog, clock: this.clock });
  }

  static async open(settings = longSegments): Promise<CheckedStream> {
    const checked = new CheckedStream(await temporaryDirectory(), settings);
    await checked.streams.open();
    onTestFinished(() => checked.streams.close());
    checked.streams.follow(checked.source);
    return checked;
  }

  /** Sends frames of a sample at the given times. */
  play({ seconds, isKeyframe, fps = 25, audio = true, video = true }: Shape): void {
    const wanted = { audio, video };
    for (const config of this.#media.configs) if (wanted[config.kind]) this.source.config(config);
    const pictures = this.#media.frames.filter(({ kind }) => kind === 'video');
    const key = pictures.find((frame) => frame.isKeyframe);
    const other = pictures.find((frame) => !frame.isKeyframe);
    const sound = this.#media.frames.find(({ kind }) => kind === 'audio');
    if (!key || !other || !sound) throw new Error('the sample lacks something');
    const beginMs = this.nowMs;
    const times: { ms: number; isVideo: boolean }[] = [];
    for (let index = 0; video && index < seconds * fps; index++)
      times.push({ ms: (index * 1000) / fps, isVideo: true });
    for (let ms = 0; audio && ms < 1000 * seconds; ms += 1024 / 48) times.push({ ms, isVideo: false });
    for (const { ms, isVideo } of times.toSorted((a, b) => a.ms - b.ms)) {
      const at = Math.round(beginMs + ms);
      const frame = isVideo ? (isKeyframe(ms) ? key : other) : sound;
      this.source.frame({ ...frame, dtsMs: at, ptsMs: at });
      this.#look();
    }
    this.nowMs += 1000 * seconds;
  }

  /** Checks playlists that are new. */
  #look(): void {
    const stream = this.streams.find('live/show');
    const plain = stream?.main.playlist('no-cache')?.body.toString();
    if (plain !== undefined && plain !== this.plainTexts.at(-1)) {
      this.plainTexts.push(plain);
      this.faults.push(...this.#plain.check(plain).map((fault) => `plain: ${fault}`));
    }
    const shelf = this.isWatched ? stream?.watchLow() : undefined;
    if (!shelf?.isPlayable) return;
    const low = shelf.playlist(false).toString();
    if (low === this.lowTexts.at(-1)) return;
    this.lowTexts.push(low);
    this.faults.push(...this.#low.check(low).map((fault) => `low: ${fault}`));
  }
}

/** Keyframes at even distances. */
export const every = (gopMs: number) => (ms: number) => Math.round(ms) % Math.round(gopMs) < 30;
