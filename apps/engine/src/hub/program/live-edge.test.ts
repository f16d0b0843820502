import fc from 'fast-check';
import { expect, it } from 'vitest';
import { LiveEdge } from './live-edge.ts';

it('the edge of an input is the median lead of its frames, despite delayed ones', () => {
  const edge = new LiveEdge();
  expect(edge.ms).toBeUndefined();
  for (let frame = 0; frame < 300; frame++) edge.push(frame * 40 + 5000, frame * 40 + (frame % 10 === 0 ? 700 : 20));
  expect(edge.ms).toBe(4980);
});

it('the edge follows a clock that is 200 ppm fast', () => {
  const edge = new LiveEdge();
  for (let frame = 0; frame < 90_000; frame++) edge.push(frame * 40 * 1.0002, frame * 40);
  expect(edge.ms).toBeGreaterThan(719);
  expect(edge.ms).toBeLessThan(721);
});

it('the edge of an input that was behind is that of the frames since it caught up', () => {
  const edge = new LiveEdge();
  for (let frame = 0; frame < 75; frame++) edge.push(frame * 40, 3000 + frame);
  expect(edge.isCatchingUp).toBe(true);
  for (let frame = 75; frame < 100; frame++) edge.push(frame * 40, frame * 40 + 20);
  expect(edge.ms).toBe(-20);
  for (let frame = 100; frame < 200; frame++) edge.push(frame * 40, frame * 40 + 20);
  expect(edge.isCatchingUp).toBe(false);
});

it('an input that delivers at once what it kept back is behind until it has, and one that stays late for five seconds only', () => {
  const edge = new LiveEdge();
  let frame = 0;
  const sends = (count: number, atMs: (dtsMs: number) => number) => {
    for (const end = frame + count; frame < end; frame++) edge.push(frame * 40, atMs(frame * 40));
  };
  const resumedMs = 125 * 40 + 3000;
  sends(125, (dtsMs) => dtsMs);
  expect(edge.isBehind).toBe(false);
  // Three times as fast as it records.
  sends(30, (dtsMs) => resumedMs + (dtsMs - 5000) / 3);
  expect([edge.isBehind, edge.isCatchingUp]).toEqual([true, false]);
  sends(82, (dtsMs) => resumedMs + (dtsMs - 5000) / 3);
  expect([edge.isBehind, edge.isCatchingUp]).toEqual([false, true]);
  sends(50, (dtsMs) => dtsMs);
  expect([edge.isBehind, edge.isCatchingUp]).toEqual([false, false]);
  sends(120, (dtsMs) => dtsMs + 900);
  expect(edge.isBehind).toBe(true);
  sends(6, (dtsMs) => dtsMs + 900);
  expect(edge.isBehind).toBe(false);
});

it('an input that delivers in bursts never looks like one that catches up', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 0, max: 60 }), (size, jitterMs) => {
      const edge = new LiveEdge();
      const wrong: number[] = [];
      for (let frame = 0; frame < 300; frame++) {
        const burst = Math.floor(frame / size + 1) * size;
        edge.push(frame * 40, burst * 40 + ((frame * 7919) % (jitterMs + 1)));
        if (frame >= 2 * size && edge.isCatchingUp) wrong.push(frame);
      }
      expect(wrong).toEqual([]);
    }),
  );
});

it('the edge of an input lies between the leads of its least delayed frame and of one that is half a second later', () => {
  const delays = fc.array(fc.integer({ min: 0, max: 4000 }), { minLength: 1, maxLength: 300 });
  fc.assert(
    fc.property(delays, (late) => {
      const edge = new LiveEdge();
      for (const [frame, lateMs] of late.entries()) edge.push(frame * 40, frame * 40 + lateMs);
      const least = Math.min(...late.slice(-50));
      expect(-(edge.ms ?? Number.NaN)).toBeLessThanOrEqual(least + 500);
      expect(-(edge.ms ?? Number.NaN)).toBeGreaterThanOrEqual(Math.min(...late.slice(-125)));
    }),
  );
});

it('the edge is as old as its first frame, and begins anew after a jump of the clock', () => {
  const edge = new LiveEdge();
  edge.push(0, 1000);
  edge.push(40, 1900);
  expect(edge.ageMs(2000)).toBe(1000);
  edge.reset();
  expect([edge.ageMs(2000), edge.ms]).toEqual([0, undefined]);
  edge.push(90_000, 2000);
  expect(edge.ms).toBe(88_000);
});
