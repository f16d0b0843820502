import { describe, expect, it, onTestFinished } from 'vitest';
import { quietLog } from '../../quiet-log.fixture.ts';
import { PlaylistChecker } from './check/playlist-checker.fixture.ts';
import type { HlsSettings } from './hls-settings.ts';
import { FakeClock, FakeGate, FakeSource, sample, temporaryDirectory } from './hls-source.fixture.ts';
import { HlsStreams } from './hls-streams.ts';

const long: HlsSettings = { noHlsCtx: false, lowLatency: false };
const short: HlsSettings = { noHlsCtx: false, lowLatency: true };

interface Shape {
  readonly seconds: number;
  /** Whether a picture at this time is a keyframe. */
  readonly isKeyframe: (ms: number) => boolean;
  readonly fps?: number;
  readonly audio?: boolean;
  readonly video?: boolean;
}

/** A stream whose playlists of both forms are checked whenever one is new. */
class Checked {
  readonly faults: string[] = [];
  readonly plainTexts: string[] = [];
  readonly lowTexts: string[] = [];
  readonly clock = new FakeClock();
  readonly gate = new FakeGate();
  readonly streams: HlsStreams;
  source = new FakeSource(this.clock);
  nowMs = 0;
  /** With low latency. */
  isWatched = true;
  readonly #plain = new PlaylistChecker();
  readonly #low = new PlaylistChecker();
  readonly #media = sample(1);

  constructor(directory: string, settings: HlsSettings) {
    this.streams = new HlsStreams({ gate: this.gate, settings, directory, log: quietLog, clock: this.clock });
  }

  static async open(settings = long): Promise<Checked> {
    const checked = new Checked(await temporaryDirectory(), settings);
    await checked.streams.open();
    onTestFinished(() => checked.streams.close());
    checked.streams.follow(checked.source);
    return checked;
  }

  /** Frames at their time, with the pictures of a sample. */
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

  /** Only what was not there before. */
  #look(): void {
    const stream = this.streams.find('live/show');
    const plain = stream?.packager.playlist('no-cache')?.body.toString();
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

const every = (gopMs: number) => (ms: number) => Math.round(ms) % Math.round(gopMs) < 30;
/** As x264 places them: at most so far apart, and where the scene changes. */
const irregular = (ms: number) =>
  every(8320)(ms) || [1200, 9000, 9400, 20_080, 31_000, 47_960].some((at) => Math.abs(ms - at) < 20);
const targetsOf = (texts: readonly string[]) => new Set(texts.map((text) => /TARGETDURATION:(\d+)/.exec(text)?.[1]));

describe('playlists of a live stream', () => {
  it.each([
    ['each second', every(1000), '10', '2'],
    ['each two seconds', every(2000), '10', '2'],
    ['each three seconds', every(3000), '12', '10'],
    ['each 8.3 s, as OBS does', every(8320), '17', '10'],
    ['each ten seconds', every(10_000), '10', '10'],
    ['each 25 s', every(25_000), '21', '10'],
    ['now and then', irregular, '17', '10'],
    ['only once', (ms: number) => ms === 0, '21', '10'],
  ])('keep to the rules with a keyframe %s', async (_name, isKeyframe, plain, low) => {
    const checked = await Checked.open();
    checked.play({ seconds: 100, isKeyframe });
    expect(checked.faults).toEqual([]);
    expect([...targetsOf(checked.plainTexts)]).toEqual([plain]);
    expect([...targetsOf(checked.lowTexts)]).toEqual([low]);
  });

  it.each([
    ['each second', every(1000), '2'],
    ['each 8.3 s, as OBS does', every(8320), '4'],
  ])('keep to the rules with short segments and a keyframe %s', async (_name, isKeyframe, target) => {
    const checked = await Checked.open(short);
    checked.play({ seconds: 60, isKeyframe });
    expect(checked.faults).toEqual([]);
    expect([...targetsOf(checked.plainTexts)]).toEqual([target]);
  });

  it('keep to the rules without sound, without pictures, and with few of them', async () => {
    const shapes = [{ audio: false }, { video: false }, { audio: false, fps: 2 }, { fps: 59.94 }];
    for (const shape of shapes) {
      const checked = await Checked.open();
      checked.play({ seconds: 45, isKeyframe: every(2000), ...shape });
      expect(checked.faults, JSON.stringify(shape)).toEqual([]);
    }
  });

  it('keep their target duration when the publisher returns with other keyframes', async () => {
    const checked = await Checked.open();
    checked.play({ seconds: 45, isKeyframe: every(2000) });
    checked.source.seam();
    checked.clock.pass(4000);
    checked.play({ seconds: 60, isKeyframe: every(8320) });
    expect(checked.faults).toEqual([]);
    expect([...targetsOf(checked.plainTexts)]).toEqual(['10']);
    expect([...targetsOf(checked.lowTexts)]).toEqual(['2']);
    expect(checked.plainTexts.at(-1)).toContain('#EXTINF:8.320');
    expect(checked.plainTexts.at(-1)).toContain('INDEPENDENT-SEGMENTS');
    expect(checked.lowTexts.at(-1)).not.toContain('INDEPENDENT-SEGMENTS');
  });

  it('of low latency know the groups of pictures of a stream that has run for a while', async () => {
    const checked = await Checked.open();
    checked.isWatched = false;
    checked.play({ seconds: 20, isKeyframe: every(3000) });
    checked.isWatched = true;
    checked.play({ seconds: 20, isKeyframe: every(3000) });
    expect(checked.faults).toEqual([]);
    expect([...targetsOf(checked.lowTexts)]).toEqual(['3']);
  });

  it('keep the target duration of low latency when that stops and starts again', async () => {
    const checked = await Checked.open();
    checked.play({ seconds: 20, isKeyframe: every(8320) });
    checked.isWatched = false;
    checked.clock.pass(31_000);
    checked.streams.sweep();
    checked.source.seam();
    checked.play({ seconds: 20, isKeyframe: every(1000) });
    const before = checked.lowTexts.length;
    checked.isWatched = true;
    checked.play({ seconds: 10, isKeyframe: every(1000) });
    expect(checked.lowTexts.length).toBeGreaterThan(before);
    expect([...targetsOf(checked.lowTexts)]).toEqual(['10']);
  });

  it.each([
    ['shorter', long, short, '10', /#EXTINF:2\.000/],
    ['longer', short, long, '2', /#EXTINF:2\.000/],
  ])('keep their target duration when the owner makes segments %s', async (_name, before, after, target, segment) => {
    const checked = await Checked.open(before);
    checked.play({ seconds: 24, isKeyframe: every(1000) });
    checked.streams.update(after);
    checked.play({ seconds: 60, isKeyframe: every(1000) });
    expect(checked.faults).toEqual([]);
    expect([...targetsOf(checked.plainTexts)]).toEqual([target]);
    expect(checked.plainTexts.at(-1)).toMatch(segment);
  });

  it('say that segments begin with keyframes as long as all of them do', async () => {
    const checked = await Checked.open();
    checked.play({ seconds: 60, isKeyframe: every(2000) });
    for (const text of [...checked.plainTexts, ...checked.lowTexts])
      expect(text).toContain('#EXT-X-INDEPENDENT-SEGMENTS\n');
    checked.play({ seconds: 30, isKeyframe: (ms) => ms === 0 });
    expect(checked.faults).toEqual([]);
    for (const text of [checked.plainTexts.at(-1), checked.lowTexts.at(-1)])
      expect(text).not.toContain('INDEPENDENT-SEG');
  });

  it('begin with a keyframe, also for who comes in the middle of a long group of pictures', async () => {
    const checked = await Checked.open();
    checked.play({ seconds: 30, isKeyframe: every(10_000) });
    const first = checked.lowTexts[0] ?? '';
    expect(/#EXT-X-PART:[^\n]*/.exec(first)?.[0]).toContain('INDEPENDENT=YES');
  });

  it('mark a hole that is longer than a segment may be', async () => {
    const checked = await Checked.open(short);
    checked.play({ seconds: 20, isKeyframe: every(1000) });
    checked.nowMs += 6000;
    checked.play({ seconds: 20, isKeyframe: every(1000) });
    expect(checked.faults).toEqual([]);
    expect(checked.plainTexts.some((text) => text.includes('#EXT-X-DISCONTINUITY\n'))).toBe(true);
  });
});
