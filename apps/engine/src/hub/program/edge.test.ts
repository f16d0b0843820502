import { expect, it } from 'vitest';
import { Edge } from './edge.ts';

it('the edge of an input is the median lead of its frames, whatever some of them were delayed by', () => {
  const edge = new Edge();
  expect(edge.ms).toBeUndefined();
  for (let frame = 0; frame < 300; frame++) edge.push(frame * 40 + 5000, frame * 40 + (frame % 10 === 0 ? 700 : 20));
  expect(edge.ms).toBe(4980);
});

it('the edge follows a clock that is 200 ppm fast', () => {
  const edge = new Edge();
  for (let frame = 0; frame < 90_000; frame++) edge.push(frame * 40 * 1.0002, frame * 40);
  expect(edge.ms).toBeGreaterThan(719);
  expect(edge.ms).toBeLessThan(721);
});

it('the edge is as old as its first frame, and begins anew after a jump of the clock', () => {
  const edge = new Edge();
  edge.push(0, 1000);
  edge.push(40, 1900);
  expect(edge.ageMs(2000)).toBe(1000);
  edge.reset();
  expect([edge.ageMs(2000), edge.ms]).toEqual([0, undefined]);
  edge.push(90_000, 2000);
  expect(edge.ms).toBe(88_000);
});
