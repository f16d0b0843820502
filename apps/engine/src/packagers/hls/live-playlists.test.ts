import type { HlsSettings } from '@weir/engine-api';
import { describe, expect, it } from 'vitest';
import { CheckedStream, every, longSegments as long } from './checked-stream.fixture.ts';

const short: HlsSettings = { noHlsCtx: false, shortSegments: true };

/** Keyframes as x264 places them: at a maximum distance, and at scene changes. */
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
  ])('follow the specification with a keyframe %s', async (_name, isKeyframe, plain, low) => {
    const checked = await CheckedStream.open();
    checked.play({ seconds: 100, isKeyframe });
    expect(checked.faults).toEqual([]);
    expect([...targetsOf(checked.plainTexts)]).toEqual([plain]);
    expect([...targetsOf(checked.lowTexts)]).toEqual([low]);
  });

  it.each([
    ['each second', every(1000), '2'],
    ['each 8.3 s, as OBS does', every(8320), '4'],
  ])('follow the specification with short segments and a keyframe %s', async (_name, isKeyframe, target) => {
    const checked = await CheckedStream.open(short);
    checked.play({ seconds: 60, isKeyframe });
    expect(checked.faults).toEqual([]);
    expect([...targetsOf(checked.plainTexts)]).toEqual([target]);
  });

  it('follow the specification without audio, without video, and with a low frame rate', async () => {
    const shapes = [{ audio: false }, { video: false }, { audio: false, fps: 2 }, { fps: 59.94 }];
    for (const shape of shapes) {
      const checked = await CheckedStream.open();
      checked.play({ seconds: 45, isKeyframe: every(2000), ...shape });
      expect(checked.faults, JSON.stringify(shape)).toEqual([]);
    }
  });

  it('keep their target duration when the publisher returns with another keyframe interval', async () => {
    const checked = await CheckedStream.open();
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

  it('of low latency use the known keyframe interval of a stream that has run for a while', async () => {
    const checked = await CheckedStream.open();
    checked.isWatched = false;
    checked.play({ seconds: 20, isKeyframe: every(3000) });
    checked.isWatched = true;
    checked.play({ seconds: 20, isKeyframe: every(3000) });
    expect(checked.faults).toEqual([]);
    expect([...targetsOf(checked.lowTexts)]).toEqual(['3']);
  });

  it('of low latency say that a segment is whole with the first part of the next one, or when none comes', async () => {
    const checked = await CheckedStream.open();
    checked.play({ seconds: 20, isKeyframe: every(1000) });
    // Without any whole segment players cannot begin.
    const [first, ...later] = checked.lowTexts.map((text) => /#EXTINF.*\n.*m4s\n#EXT-X-PRELOAD-HINT/.test(text));
    expect([first, later.includes(true)]).toEqual([true, false]);
    checked.source.publisher = undefined;
    const wholes = () =>
      stream
        ?.watchLow()
        ?.playlist(false)
        .toString()
        .match(/#EXTINF/g)?.length ?? 0;
    const stream = checked.streams.find('live/show');
    const before = wholes();
    for (let second = 0; second < 2; second++) {
      checked.clock.pass(1000);
      checked.streams.sweep();
    }
    expect(wholes()).toBe(before + 1);
  });

  it('of low latency keep their target duration after a stop and a restart', async () => {
    const checked = await CheckedStream.open();
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
    const checked = await CheckedStream.open(before);
    checked.play({ seconds: 24, isKeyframe: every(1000) });
    checked.streams.update(after);
    checked.play({ seconds: 60, isKeyframe: every(1000) });
    expect(checked.faults).toEqual([]);
    expect([...targetsOf(checked.plainTexts)]).toEqual([target]);
    expect(checked.plainTexts.at(-1)).toMatch(segment);
  });

  it('declare independent segments as long as all segments begin with a keyframe', async () => {
    const checked = await CheckedStream.open();
    checked.play({ seconds: 60, isKeyframe: every(2000) });
    for (const text of [...checked.plainTexts, ...checked.lowTexts])
      expect(text).toContain('#EXT-X-INDEPENDENT-SEGMENTS\n');
    checked.play({ seconds: 30, isKeyframe: (ms) => ms === 0 });
    expect(checked.faults).toEqual([]);
    for (const text of [checked.plainTexts.at(-1), checked.lowTexts.at(-1)])
      expect(text).not.toContain('INDEPENDENT-SEG');
  });

  it('begin with a keyframe, also for a viewer who joins in the middle of a long group of pictures', async () => {
    const checked = await CheckedStream.open();
    checked.play({ seconds: 30, isKeyframe: every(10_000) });
    const first = checked.lowTexts[0] ?? '';
    expect(/#EXT-X-PART:[^\n]*/.exec(first)?.[0]).toContain('INDEPENDENT=YES');
  });

  it('mark a gap that is longer than the longest segment', async () => {
    const checked = await CheckedStream.open(short);
    checked.play({ seconds: 20, isKeyframe: every(1000) });
    checked.nowMs += 6000;
    checked.play({ seconds: 20, isKeyframe: every(1000) });
    expect(checked.faults).toEqual([]);
    expect(checked.plainTexts.some((text) => text.includes('#EXT-X-DISCONTINUITY\n'))).toBe(true);
  });
});
