import type { MediaFrame } from '@weir/media';
import { describe, expect, it } from 'vitest';
import { frameAt } from '../hls-source.fixture.ts';
import { Segmenter } from './segmenter.ts';

const rules = { fragmentMs: 10_000, limitMs: 21_000, isPromised: false, maxBytes: 1_000_000 };

/** Pictures every 40 ms with a keyframe each `gopMs`, sound every 20 ms. */
function* media({
  fromMs = 0,
  toMs,
  gopMs,
  audio = true,
}: {
  fromMs?: number;
  toMs: number;
  gopMs: number;
  audio?: boolean;
}) {
  for (let ms = fromMs; ms < toMs; ms += 20) {
    if ((ms - fromMs) % 40 === 0) yield frameAt(ms, 'video', gopMs > 0 && (ms - fromMs) % gopMs === 0);
    if (audio) yield frameAt(ms, 'audio');
  }
}

function decisions(segmenter: Segmenter, frames: Iterable<MediaFrame>): string[] {
  return [...frames].flatMap((frame) => {
    const decision = segmenter.decide(frame, 0);
    return decision === 'join' || decision === 'drop' ? [] : [`${decision} ${frame.kind} ${frame.dtsMs}`];
  });
}

function withVideo(fragmentMs = 10_000, limitMs = 2.1 * fragmentMs, isPromised = false): Segmenter {
  const segmenter = new Segmenter(() => ({ ...rules, fragmentMs, limitMs, isPromised }));
  segmenter.expectVideo();
  return segmenter;
}

describe('Segmenter', () => {
  it('cuts at the first keyframe after the fragment length', () => {
    expect(decisions(withVideo(), media({ toMs: 25_000, gopMs: 4000 }))).toEqual([
      'cut video 12000',
      'cut video 24000',
    ]);
  });

  it('accepts a keyframe that is early by a rounding error', () => {
    expect(decisions(withVideo(), media({ toMs: 21_000, gopMs: 9960 }))).toEqual(['cut video 9960', 'cut video 19920']);
  });

  it('cuts without a keyframe at 2.1 fragments', () => {
    expect(
      decisions(withVideo(2000), [frameAt(0, 'video', true), ...media({ fromMs: 40, toMs: 9000, gopMs: 0 })]),
    ).toEqual(['cut video 4200', 'cut video 8400']);
  });

  it('returns to cuts at keyframes after a cut between them', () => {
    expect(decisions(withVideo(2000), media({ toMs: 11_000, gopMs: 5000 }))).toEqual([
      'cut video 4200',
      'cut video 5000',
      'cut video 9200',
      'cut video 10000',
    ]);
  });

  it('cuts audio alone by time', () => {
    const segmenter = new Segmenter(() => rules);
    const frames = Array.from({ length: 1500 }, (_, index) => frameAt(index * 20, 'audio'));
    expect(decisions(segmenter, frames)).toEqual(['cut audio 9960', 'cut audio 19920', 'cut audio 29880']);
  });

  it('waits for a keyframe at the start, but not for ever', () => {
    const segmenter = withVideo();
    expect(segmenter.decide(frameAt(0, 'audio'), 0)).toBe('drop');
    expect(segmenter.decide(frameAt(40, 'video'), 0)).toBe('drop');
    expect(segmenter.decide(frameAt(80, 'video', true), 0)).toBe('join');
    segmenter.restart();
    expect(segmenter.decide(frameAt(100, 'audio'), 0)).toBe('drop');
    expect(segmenter.decide(frameAt(9000, 'audio'), 0)).toBe('drop');
    expect(segmenter.decide(frameAt(10_100, 'audio'), 0)).toBe('join');
  });

  it('waits for announced video, but not for ever', () => {
    let isAnnounced = true;
    const segmenter = new Segmenter(
      () => rules,
      () => isAnnounced,
    );
    expect(segmenter.decide(frameAt(0, 'audio'), 0)).toBe('drop');
    expect(segmenter.decide(frameAt(20, 'video', true), 0)).toBe('join');
    segmenter.restart();
    isAnnounced = false;
    expect(segmenter.decide(frameAt(40, 'audio'), 0)).toBe('join');
  });

  it('continues by time when video stops', () => {
    const sound = Array.from({ length: 1500 }, (_, index) => frameAt(2000 + index * 20, 'audio'));
    expect(decisions(withVideo(), [...media({ toMs: 2000, gopMs: 1000 }), ...sound])).toEqual([
      'cut audio 9960',
      'cut audio 19920',
      'cut audio 29880',
    ]);
  });

  it('is not misled by audio that is far ahead of its video', () => {
    const frames = [...media({ toMs: 12_000, gopMs: 2000, audio: false })].flatMap((frame) => [
      frameAt(frame.dtsMs + 1500, 'audio'),
      frameAt(frame.dtsMs + 1520, 'audio'),
      frame,
    ]);
    expect(decisions(withVideo(2000, 2499, true), frames)).toEqual([
      'cut video 2000',
      'cut video 4000',
      'cut video 6000',
      'cut video 8000',
      'cut video 10000',
    ]);
  });

  it('ends a segment at an early keyframe when the next would come too late', () => {
    const keyframes = [0, 3000, 4000, 7000, 10_000, 12_000, 15_000, 18_000];
    const frames = [...media({ toMs: 20_000, gopMs: 0 })].map((frame) =>
      frame.kind === 'video' ? { ...frame, isKeyframe: keyframes.includes(frame.dtsMs) } : frame,
    );
    expect(decisions(withVideo(10_000, 10_499, true), frames)).toEqual(['cut video 10000', 'cut video 18000']);
  });

  it('ends a segment at the last frame within its limit when no keyframe comes', () => {
    const frames = [frameAt(0, 'video', true), ...media({ fromMs: 40, toMs: 30_000, gopMs: 0 })];
    expect(decisions(withVideo(10_000, 10_499, true), frames)).toEqual(['cut video 10480', 'cut video 20960']);
  });

  it('sets a discontinuity where a gap exceeds the promised limit', () => {
    const frames = [...media({ toMs: 1000, gopMs: 1000 }), ...media({ fromMs: 5000, toMs: 5500, gopMs: 1000 })];
    expect(decisions(withVideo(2000, 2499, true), frames)).toEqual(['break video 5000']);
    expect(decisions(withVideo(2000, 4200, false), frames)).toEqual(['cut video 5000']);
  });

  it('applies a new fragment length at the next cut', () => {
    let fragmentMs = 10_000;
    const segmenter = new Segmenter(() => ({ ...rules, fragmentMs }));
    segmenter.expectVideo();
    expect(decisions(segmenter, media({ toMs: 5000, gopMs: 1000 }))).toEqual([]);
    fragmentMs = 2000;
    expect(decisions(segmenter, media({ fromMs: 5000, toMs: 8000, gopMs: 1000 }))).toEqual([
      'cut video 5000',
      'cut video 7000',
    ]);
  });

  it.each([
    ['an hour forward', 3_600_000],
    ['back', 1000],
  ])('sets one discontinuity when time jumps %s, though tracks jump one after the other', (_name, toMs) => {
    const segmenter = withVideo();
    decisions(segmenter, media({ toMs: 6000, gopMs: 1000 }));
    const seam = [frameAt(toMs, 'video', true), frameAt(6000, 'audio'), frameAt(6020, 'audio')];
    const after = media({ fromMs: toMs + 40, toMs: toMs + 5000, gopMs: 1000 });
    expect(decisions(segmenter, [...seam, ...after])).toEqual([`break video ${toMs}`]);
  });

  it('cuts a segment that grows too large', () => {
    const segmenter = withVideo();
    segmenter.decide(frameAt(0, 'video', true), 0);
    expect(segmenter.decide(frameAt(40, 'video'), 999_999)).toBe('join');
    expect(segmenter.decide(frameAt(80, 'video'), 1_000_000)).toBe('cut');
  });

  it('never keeps a segment open beyond its limit, whatever the timestamps', () => {
    let seed = 7;
    const random = () => {
      seed = (seed * 48_271) % 2_147_483_647;
      return seed / 2_147_483_647;
    };
    const segmenter = withVideo();
    let ms = 0;
    let openedAt: number | undefined;
    for (let index = 0; index < 20_000; index++) {
      const step = random();
      ms = Math.max(0, ms + (step < 0.005 ? (random() - 0.5) * 100_000 : step < 0.1 ? -50 : 30));
      const frame = frameAt(ms, random() < 0.5 ? 'video' : 'audio', random() < 0.01);
      const decision = segmenter.decide(frame, 0);
      if (decision === 'cut' || decision === 'break' || (decision === 'join' && openedAt === undefined)) openedAt = ms;
      if (decision === 'join' && openedAt !== undefined) expect(ms - openedAt).toBeLessThan(21_000);
    }
  });
});
