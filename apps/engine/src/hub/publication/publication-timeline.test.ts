import type { MediaFrame } from '@weir/media';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { picture, sound } from '../frames.fixture.ts';
import { PublicationTimeline } from './publication-timeline.ts';

/** A publisher's frames in the order of their decode times, with B-frames shown up to two frames later than decoded. */
interface Show {
  readonly frameMs: number;
  readonly audioMs: number;
  readonly reorder: number;
  readonly frames: number;
  readonly startMs: number;
  /** Distance of the first audio frame from the first video frame. */
  readonly audioLagMs: number;
  /** Time by which audio outlasts video. */
  readonly audioTailMs: number;
}

const anyShow = fc.record<Show>({
  frameMs: fc.constantFrom(16, 33, 40, 66.5, 100),
  audioMs: fc.constantFrom(21, 23, 64),
  reorder: fc.integer({ min: 0, max: 3 }),
  frames: fc.integer({ min: 2, max: 20 }),
  startMs: fc.integer({ min: 0, max: 1_000_000 }),
  audioLagMs: fc.integer({ min: -300, max: 300 }),
  audioTailMs: fc.integer({ min: -200, max: 200 }),
});

function framesOf({ frameMs, audioMs, reorder, frames, startMs, audioLagMs, audioTailMs }: Show): MediaFrame[] {
  const all: MediaFrame[] = [];
  for (let n = 0; n < frames; n++) {
    const dtsMs = startMs + n * frameMs;
    // The keyframe is shown after the delay, every other B-frame before its neighbour.
    const early = n > 0 && reorder > 0 && n % 2 === 0 ? 1 : 0;
    all.push({ ...picture(dtsMs, n === 0), ptsMs: dtsMs + (reorder - early) * frameMs });
  }
  const endMs = startMs + frames * frameMs + audioTailMs;
  for (let ms = startMs + audioLagMs; ms < endMs; ms += audioMs) all.push(sound(ms));
  return all.sort((a, b) => a.dtsMs - b.dtsMs);
}

interface Placed {
  readonly frame: MediaFrame;
  readonly raw: MediaFrame;
}

function play(timeline: PublicationTimeline, frames: readonly MediaFrame[]): Placed[] {
  timeline.join(frames);
  return frames.flatMap((raw) => {
    const frame = timeline.place(raw);
    return frame ? [{ frame, raw }] : [];
  });
}

const ofKind = (placed: readonly Placed[], kind: MediaFrame['kind']) => placed.filter(({ raw }) => raw.kind === kind);
const times = (placed: readonly Placed[], kind: MediaFrame['kind']) =>
  ofKind(placed, kind).map(({ frame }) => frame.dtsMs);

describe('PublicationTimeline with a second publisher', () => {
  it('keeps decode times rising, shows no frame before it is decoded, and keeps audio and video together', () => {
    fc.assert(
      fc.property(fc.array(anyShow, { minLength: 2, maxLength: 5 }), (shows) => {
        const timeline = new PublicationTimeline();
        const runs = shows.map((show) => play(timeline, framesOf(show)));
        for (const kind of ['video', 'audio'] as const) {
          const all = runs.flatMap((run) => times(run, kind));
          for (const [n, ms] of all.entries()) if (n > 0) expect(ms).toBeGreaterThan((all[n - 1] ?? 0) - 0.001);
        }
        for (const run of runs) {
          for (const { frame } of run) expect(frame.ptsMs).toBeGreaterThanOrEqual(frame.dtsMs);
        }
        for (const run of runs.slice(1)) {
          const shifts = run.map(({ frame, raw }) => frame.ptsMs - raw.ptsMs);
          expect(Math.max(...shifts) - Math.min(...shifts)).toBeLessThan(0.001);
        }
      }),
    );
  });

  it('starts one frame after the last video frame, whatever the order of its frames', () => {
    fc.assert(
      fc.property(anyShow, anyShow, (before, after) => {
        const timeline = new PublicationTimeline();
        const old = ofKind(play(timeline, framesOf({ ...before, audioTailMs: 0 })), 'video').map(({ frame }) => frame);
        const [first] = ofKind(play(timeline, framesOf(after)), 'video');
        const lastMs = Math.max(...old.map(({ ptsMs }) => ptsMs));
        expect((first?.frame.ptsMs ?? 0) - lastMs).toBeCloseTo(before.frameMs, 3);
      }),
    );
  });

  it('follows the audio within half a frame where the audio lasts until then', () => {
    fc.assert(
      fc.property(anyShow, anyShow, (before, after) => {
        const timeline = new PublicationTimeline();
        const old = times(play(timeline, framesOf({ ...before, reorder: 0, audioLagMs: 0, frames: 20 })), 'audio');
        const raw = framesOf({ ...after, reorder: 0, audioLagMs: -400, audioTailMs: 400 });
        const [first] = times(play(timeline, raw), 'audio');
        const gapMs = (first ?? 0) - (old.at(-1) ?? 0) - before.audioMs;
        expect(gapMs).toBeGreaterThanOrEqual(-before.audioMs / 2);
        expect(gapMs).toBeLessThan(after.audioMs - before.audioMs / 2);
      }),
    );
  });

  it('does not cut off audio that continued long after the video had stopped', () => {
    const timeline = new PublicationTimeline();
    play(timeline, [picture(0, true), picture(40), ...Array.from({ length: 50 }, (_, n) => sound(n * 20))]);
    const run = play(timeline, [picture(7000, true), sound(7000), sound(7020)]);
    expect(times(run, 'audio')).toEqual([1000, 1020]);
    expect(times(run, 'video')).toEqual([1000]);
  });

  it('joins streams of one track', () => {
    const videos = new PublicationTimeline();
    play(videos, [picture(500, true)]);
    expect(times(play(videos, [picture(9, true), picture(42)]), 'video')).toEqual([40, 73]);
    const audios = new PublicationTimeline();
    play(audios, [sound(500), sound(521)]);
    expect(times(play(audios, [sound(3), sound(24)]), 'audio')).toEqual([42, 63]);
    // The new track has no earlier frames to join.
    expect(times(play(audios, [picture(90_000, true)]), 'video')).toEqual([84]);
  });
});

describe('PublicationTimeline with one publisher', () => {
  it('keeps late frames late, and turns jumps into discontinuities', () => {
    const timeline = new PublicationTimeline();
    const at = (raw: number) => {
      const frame = picture(raw);
      const isSeam = timeline.isJump(frame) && timeline.join([frame]);
      return [isSeam, timeline.place(frame)?.dtsMs];
    };
    timeline.join([picture(500)]);
    expect(at(500)).toEqual([false, 0]);
    expect(at(540)).toEqual([false, 40]);
    expect(at(520)).toEqual([false, 20]);
    expect(at(3_600_000)).toEqual([true, 80]);
    expect(at(3_600_040)).toEqual([false, 120]);
    expect(at(0)).toEqual([true, 160]);
    expect(at(9000)).toEqual([false, 9160]);
  });

  it('starts at zero with the first frame of any track', () => {
    const timeline = new PublicationTimeline();
    expect(times(play(timeline, [sound(1000), sound(1023), picture(1100, true)]), 'audio')).toEqual([0, 23]);
    expect(timeline.newestMs).toBe(100);
  });
});

it('the clock does not run away when one track is seconds behind the other', () => {
  fc.assert(
    fc.property(fc.integer({ min: -9000, max: 9000 }), fc.integer({ min: 0, max: 20 }), (leadMs, from) => {
      const timeline = new PublicationTimeline();
      let joins = 0;
      let newestMs = 0;
      const take = (frame: MediaFrame) => {
        if (timeline.isJump(frame) && timeline.join([frame])) joins += 1;
        newestMs = Math.max(newestMs, timeline.place(frame)?.dtsMs ?? 0);
      };
      timeline.join([picture(10_000, true)]);
      for (let n = 0; n < 100; n++) {
        take(picture(10_000 + n * 40, n % 25 === 0));
        if (n >= from) take(sound(10_000 + n * 40 + leadMs));
      }
      expect(joins).toBeLessThanOrEqual(1);
      expect(newestMs).toBeLessThan(4000 + 2 * Math.abs(leadMs) + 100);
    }),
  );
});
