import { expect, it } from 'vitest';
import { HeardSpans } from './heard-spans.ts';

const span = (fromMs: number, toMs: number) => ({ fromMs, toMs });

it('lists spans that were not recognised, in order, and leaves out those too short for a word', () => {
  const spans = new HeardSpans();
  expect(spans.missing('a', span(0, 2000))).toEqual([span(0, 2000)]);
  spans.add('a', span(6000, 8000));
  spans.add('a', span(1000, 2000));
  spans.add('b', span(0, 9000));
  expect(spans.missing('a', span(0, 8400))).toEqual([span(0, 1000), span(2000, 6000)]);
  expect([spans.missing('a', span(6500, 7500)), spans.missing('b', span(0, 9000))]).toEqual([[], []]);
});

it('joins adjacent spans, in any order of arrival', () => {
  const spans = new HeardSpans();
  for (let at = 0; at < 100_000; at += 50) spans.add('a', span(at, at + 50));
  spans.add('a', span(200_000, 201_000));
  spans.add('a', span(100_020, 199_990));
  expect(spans.has('a', span(0, 201_000))).toBe(true);
  expect([spans.has('a', span(0, 201_001)), spans.has('b', span(0, 1))]).toEqual([false, false]);
});

it('drops the oldest of too many', () => {
  const spans = new HeardSpans();
  for (let at = 0; at < 100; at++) spans.add('a', span(at * 1000, at * 1000 + 100));
  expect([spans.has('a', span(0, 100)), spans.has('a', span(99_000, 99_100))]).toEqual([false, true]);
});
