import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  formatRewindHead,
  formatRewindSegment,
  parseRewindLog,
  type RewindHead,
  RewindRules,
  type RewindSegment,
  rewindPieces,
} from './rewind.ts';

const head: RewindHead = {
  vhost: '__defaultVhost__',
  app: 'live',
  stream: 'show \n"x"',
  discontinuities: 3,
  pieceMs: 10_000,
  targetSeconds: 12,
};
const anySegment: fc.Arbitrary<RewindSegment> = fc.record({
  id: fc.uuid(),
  sequence: fc.nat(),
  durationMs: fc.nat(99_999_999),
  bytes: fc.nat(),
  dateMs: fc.integer({ min: 0, max: 9_999_999_999_999 }),
  isDiscontinuity: fc.boolean(),
  isIndependent: fc.boolean(),
});
const segment = (durationMs: number, isDiscontinuity = false): RewindSegment => ({
  id: '0b9f2c5e-8a0d-4c57-9f6e-2d1c3b4a5968',
  sequence: 1,
  durationMs,
  bytes: 1,
  dateMs: 1,
  isDiscontinuity,
  isIndependent: true,
});

it('the log of a window is read as it was written, up to a line that a crash has torn', () => {
  fc.assert(
    fc.property(fc.array(anySegment, { maxLength: 20 }), fc.nat(51), (segments, torn) => {
      const whole = formatRewindHead(head) + segments.map(formatRewindSegment).join('');
      const half = formatRewindSegment(segment(2000)).slice(0, torn);
      const goodBytes = Buffer.byteLength(whole);
      expect(parseRewindLog(whole + half)).toEqual({ head, segments, goodBytes });
    }),
  );
});

it.each(['', '# {', '# {}\n', 'x\n'])('a log that begins with %j is none', (text) => {
  expect(parseRewindLog(text)).toBeUndefined();
});

it('joins segments to pieces of three quarters of the wanted length, never across a discontinuity', () => {
  const of = (segments: RewindSegment[], isClosed: boolean) =>
    rewindPieces({ head, segments }, isClosed).map(({ durationMs, segments: { length } }) => [length, durationMs]);
  const twos = Array.from({ length: 9 }, () => segment(2000));
  expect(of(twos, false)).toEqual([
    [4, 8000],
    [4, 8000],
  ]);
  expect(of(twos, true)).toEqual([
    [4, 8000],
    [4, 8000],
    [1, 2000],
  ]);
  expect(of([segment(9960), segment(10_040)], false)).toEqual([
    [1, 9960],
    [1, 10_040],
  ]);
  expect(of([segment(2000), segment(2000, true), segment(9000)], false)).toEqual([
    [1, 2000],
    [2, 11_000],
  ]);
});

it('a rule that names the stream decides, then the first pattern that matches', () => {
  const rules = new RewindRules([
    { pattern: '/live/*', windowSeconds: 60 },
    { pattern: '/**', windowSeconds: 3600 },
    { pattern: '/live/quiet', windowSeconds: 0 },
  ]);
  const of = (app: string, stream: string) => rules.windowMs({ app, stream });
  expect([of('live', 'show'), of('other', 'show'), of('live', 'quiet')]).toEqual([60_000, 3_600_000, 0]);
  expect([rules.isOn, new RewindRules([{ pattern: '/live/*', windowSeconds: 0 }]).isOn]).toEqual([true, false]);
});
