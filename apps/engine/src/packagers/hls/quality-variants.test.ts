import type { AudioConfig, MediaFrame, VideoConfig } from '@weir/media';
import { expect, it, onTestFinished } from 'vitest';
import { quietLog } from '../../quiet-log.fixture.ts';
import { PlaylistChecker } from './check/playlist-checker.fixture.ts';
import { type ReadPlaylist, readMediaPlaylist } from './check/read-playlist.fixture.ts';
import { FakeClock, FakeGate, FakeSource, sample, temporaryDirectory } from './hls-source.fixture.ts';
import { HlsStreams } from './hls-streams.ts';

const large = sample(1, { size: '320x180' });
const small = sample(1, { size: '160x90' });
const stepMs = 40;
const groupMs = 1000;

function partsOf({ configs, frames }: typeof large) {
  const pictures = frames.filter(({ kind }) => kind === 'video');
  const [key, other] = [pictures.find(({ isKeyframe }) => isKeyframe), pictures.find(({ isKeyframe }) => !isKeyframe)];
  const sound = frames.find(({ kind }) => kind === 'audio');
  const video = configs.find((config): config is VideoConfig => config.kind === 'video');
  const audio = configs.find((config): config is AudioConfig => config.kind === 'audio');
  if (!key || !other || !sound || !video || !audio) throw new Error('the sample lacks something');
  return { key, other, sound, video, audio, configs };
}

/** A stream of 25 frames a second with a lower quality and alternative audio, and everything that players would read. */
class Layered {
  readonly clock = new FakeClock();
  readonly source = new FakeSource(this.clock);
  readonly streams: HlsStreams;
  readonly gate = new FakeGate();
  readonly faults: string[] = [];
  nowMs = 0;
  isLowOn = true;
  isOtherAudioOn = true;
  lowGroupMs = groupMs;
  lowOffsetMs = 0;
  /** The stream waits for converted audio, and its lower quality does not. */
  isLowFirst = false;
  #lead = partsOf(large);
  readonly #low = partsOf(small);
  readonly #checkers = new Map<string, PlaylistChecker>();
  readonly #texts = new Map<string, string>();

  private constructor(directory: string) {
    const settings = { noHlsCtx: false, shortSegments: true };
    this.streams = new HlsStreams({
      gate: this.gate,
      settings,
      directory,
      log: quietLog,
      clock: this.clock,
    });
  }

  static async open(): Promise<Layered> {
    const layered = new Layered(await temporaryDirectory());
    await layered.streams.open();
    onTestFinished(() => layered.streams.close());
    layered.streams.follow(layered.source);
    for (const config of layered.#lead.configs) layered.source.config(config);
    layered.source.qualities.config(1, layered.#low.video);
    layered.source.qualities.open();
    layered.source.audioTracks.config(1, layered.#low.audio);
    layered.source.audioTracks.open();
    return layered;
  }

  get stream() {
    const stream = this.streams.find('live/show');
    if (!stream) throw new Error('no stream');
    return stream;
  }

  /** Playlists of both qualities. */
  get plain(): (ReadPlaylist | undefined)[] {
    return ['lead', 'low', 'audio'].map((name) => this.#read(name));
  }

  get parts(): (ReadPlaylist | undefined)[] {
    return ['lead parts', 'low parts', 'audio parts'].map((name) => this.#read(name));
  }

  play(seconds: number, isWatched = false): void {
    const at = (frame: MediaFrame, ms: number) => ({ ...frame, dtsMs: ms, ptsMs: ms });
    for (const endMs = this.nowMs + seconds * 1000; this.nowMs < endMs; this.nowMs += stepMs) {
      const isKeyframe = this.nowMs % groupMs === 0;
      const { key, other, sound } = this.#lead;
      const low = (this.nowMs + this.lowOffsetMs) % this.lowGroupMs === 0 ? this.#low.key : this.#low.other;
      if (this.isLowOn && this.isLowFirst) this.source.qualities.frame(1, at(low, this.nowMs));
      this.source.frame(at(isKeyframe ? key : other, this.nowMs));
      this.source.frame(at(sound, this.nowMs + 5));
      this.source.frame(at(sound, this.nowMs + 26));
      if (this.isOtherAudioOn)
        for (const offsetMs of [12, 33]) this.source.audioTracks.frame(1, at(sound, this.nowMs + offsetMs));
      if (this.isLowOn && !this.isLowFirst) this.source.qualities.frame(1, at(low, this.nowMs));
      if (isWatched) this.stream.watchLow();
      this.#look();
    }
  }

  /** Another layer leads. */
  resize(): void {
    this.#lead = partsOf(sample(1, { size: '480x270' }));
    this.source.config(this.#lead.video);
  }

  #read(name: string): ReadPlaylist | undefined {
    const text = this.#texts.get(name);
    return text === undefined ? undefined : readMediaPlaylist(text);
  }

  #look(): void {
    const { stream } = this;
    const low = stream.renditions.find('v-90p');
    this.#check('lead', stream.main.playlist('')?.body);
    const audio = stream.renditions.find('a-1');
    this.#check('low', low?.main.playlist.text('')?.body);
    this.#check('audio', audio?.main.playlist.text('')?.body);
    if (stream.parts?.isPlayable) this.#check('lead parts', stream.parts.playlist(false));
    if (low?.low?.parts?.isPlayable) this.#check('low parts', low.low.parts.playlist(false));
    if (audio?.low?.parts?.isPlayable) this.#check('audio parts', audio.low.parts.playlist(false));
  }

  #check(name: string, body: Buffer | undefined): void {
    const text = body?.toString();
    if (text === undefined || text === this.#texts.get(name)) return;
    this.#texts.set(name, text);
    const checker = this.#checkers.get(name) ?? new PlaylistChecker();
    this.#checkers.set(name, checker);
    this.faults.push(...checker.check(text).map((fault) => `${name}: ${fault}`));
  }
}

/** Numbers, dates, durations and discontinuities by segment, without what one has and the other has not yet. */
function factsOf(playlists: readonly (ReadPlaylist | undefined)[]) {
  const lists = playlists.map((playlist) => {
    const before = Number(playlist?.header.get('#EXT-X-DISCONTINUITY-SEQUENCE'));
    let discontinuities = before;
    return new Map(
      playlist?.segments.map(({ sequence, seconds, dateMs, isDiscontinuity, parts }) => {
        if (isDiscontinuity) discontinuities += 1;
        return [sequence, { seconds, dateMs, discontinuities, parts: parts.map((part) => part.seconds) }];
      }),
    );
  });
  const common = [...(lists[0]?.keys() ?? [])].filter((sequence) => lists.every((list) => list.get(sequence)?.seconds));
  return lists.map((list) => common.map((sequence) => ({ sequence, ...list.get(sequence) })));
}

it('cuts a lower quality exactly where the stream is cut', async () => {
  const layered = await Layered.open();
  layered.play(30);
  const [lead, low] = factsOf(layered.plain);
  expect(low?.length).toBeGreaterThan(5);
  expect(low).toEqual(lead);
  expect(layered.plain[1]?.segments.some(({ isGap }) => isGap)).toBe(false);
  expect(layered.faults).toEqual([]);
});

it('tells of the segments of a lower quality apart from those of the stream, but not of gaps', async () => {
  const layered = await Layered.open();
  layered.play(12);
  layered.isLowOn = false;
  layered.play(7);
  layered.isLowOn = true;
  layered.play(8);
  await layered.stream.idle();
  const told = layered.gate.segments;
  const lead = told.filter(({ quality, format }) => quality === undefined && format === 'mpegts');
  const low = told.filter(({ quality }) => quality === '90p');
  expect([new Set(lead.map(({ ownQuality }) => ownQuality)), low.some(({ ownQuality }) => ownQuality)]).toEqual([
    new Set(['180p']),
    false,
  ]);
  expect(new Set(told.map(({ id, format }) => format + id)).size).toBe(told.length);
  const whole = layered.plain[1]?.segments.filter(({ isGap }) => !isGap).map(({ sequence }) => sequence) ?? [];
  const listed = new Set(low.map(({ sequence }) => sequence));
  expect(whole.filter((sequence) => !listed.has(sequence))).toEqual([]);
  const gaps = layered.plain[1]?.segments.filter(({ isGap }) => isGap) ?? [];
  expect(gaps.length).toBeGreaterThan(1);
  expect(gaps.filter(({ sequence }) => listed.has(sequence))).toEqual([]);
});

it('cuts low-latency parts of all qualities alike, also when they start in the middle', async () => {
  const layered = await Layered.open();
  layered.play(8);
  layered.play(20, true);
  const [lead, low] = factsOf(layered.parts);
  expect(low?.length).toBeGreaterThan(5);
  expect(low).toEqual(lead);
  expect(layered.parts[1]?.segments.filter(({ isGap }) => isGap)).toEqual([]);
  expect(layered.faults).toEqual([]);
});

it('fills a pause of a lower quality with gaps, and goes on with the right number', async () => {
  const layered = await Layered.open();
  layered.play(12, true);
  layered.isLowOn = false;
  layered.play(7, true);
  layered.isLowOn = true;
  layered.play(8, true);
  for (const playlists of [layered.plain, layered.parts]) {
    const [lead, low] = factsOf(playlists);
    expect(low?.length).toBeGreaterThan(5);
    expect(low).toEqual(lead);
    const gaps = playlists[1]?.segments.map(({ isGap }) => isGap) ?? [];
    expect(gaps.filter(Boolean).length).toBeGreaterThanOrEqual(3);
    expect(gaps.filter(Boolean).length).toBeLessThanOrEqual(5);
    expect([gaps[0], gaps.at(-2)]).toEqual([false, false]);
  }
  expect(layered.faults).toEqual([]);
});

it('counts discontinuities of a quality that comes later as those of the stream', async () => {
  const layered = await Layered.open();
  layered.isLowOn = false;
  layered.play(5, true);
  layered.source.seam();
  layered.source.qualities.seam();
  layered.play(20, true);
  layered.isLowOn = true;
  layered.play(10, true);
  layered.source.seam();
  layered.source.qualities.seam();
  layered.play(10, true);
  for (const playlists of [layered.plain, layered.parts]) {
    const [lead, low] = factsOf(playlists);
    expect(low?.length).toBeGreaterThan(4);
    expect(low).toEqual(lead);
    expect(low?.at(-1)?.discontinuities).toBe(2);
  }
  expect(layered.faults).toEqual([]);
});

it('cuts at keyframes that all qualities have, while there are some', async () => {
  const layered = await Layered.open();
  // The stream has a keyframe each second, its lower quality each two: at 1, 3, 5 s.
  layered.lowGroupMs = 2000;
  layered.lowOffsetMs = 1000;
  layered.isLowFirst = true;
  layered.play(31, true);
  for (const playlists of [layered.plain, layered.parts]) {
    const [lead, low] = factsOf(playlists);
    expect(low).toEqual(lead);
    expect(new Set(low?.slice(3, -1).map(({ seconds }) => seconds))).toEqual(new Set([2]));
    expect(playlists[1]?.segments.slice(3).some(({ isGap }) => isGap)).toBe(false);
  }
  expect(layered.faults).toEqual([]);
});

it('loses nothing of a lower quality when the size of the best one changes', async () => {
  const layered = await Layered.open();
  layered.isLowFirst = true;
  layered.play(10, true);
  layered.resize();
  layered.play(20, true);
  for (const playlists of [layered.plain, layered.parts]) {
    const [lead, low] = factsOf(playlists);
    expect(low?.length).toBeGreaterThan(6);
    expect(low).toEqual(lead);
    expect(playlists[1]?.segments.slice(2).filter(({ isGap }) => isGap)).toEqual([]);
  }
  expect(layered.faults).toEqual([]);
});

it('cuts alternative audio exactly where the stream is cut, and fills its pause with gaps', async () => {
  const layered = await Layered.open();
  layered.play(12, true);
  for (const playlists of [layered.plain, layered.parts]) {
    const [lead, , audio] = factsOf(playlists);
    expect(audio?.length).toBeGreaterThan(2);
    expect(audio).toEqual(lead);
    expect(playlists[2]?.segments.some(({ isGap }) => isGap)).toBe(false);
  }
  layered.isOtherAudioOn = false;
  layered.play(7, true);
  layered.isOtherAudioOn = true;
  layered.play(8, true);
  for (const playlists of [layered.plain, layered.parts]) {
    const [lead, , audio] = factsOf(playlists);
    expect(audio).toEqual(lead);
    const gaps = playlists[2]?.segments.map(({ isGap }) => isGap) ?? [];
    expect(gaps.filter(Boolean).length).toBeGreaterThanOrEqual(2);
    expect([gaps[0], gaps.at(-2)]).toEqual([false, false]);
  }
  expect(layered.faults).toEqual([]);
});

it('costs a stream with one quality nothing', async () => {
  const layered = await Layered.open();
  layered.isLowOn = false;
  layered.isOtherAudioOn = false;
  layered.play(4);
  expect(layered.stream.renditions.find('v-90p')).toBeUndefined();
  expect(layered.stream.offered({ isLow: false })).toHaveLength(1);
});
