import { expect, it } from 'vitest';
import { parseRtcp, RoundTrip } from '../index.ts';

const ours = 77;

/** An extended report of a sender with one block, as browsers write it. */
function answer(entries: readonly (readonly [ssrc: number, lastReference: number, sinceMs: number])[]): Buffer {
  const out = Buffer.alloc(12 + entries.length * 12);
  out[0] = 0x80;
  out[1] = 207;
  out.writeUInt16BE(out.length / 4 - 1, 2);
  out.writeUInt32BE(5, 4);
  out[8] = 5;
  out.writeUInt16BE(entries.length * 3, 10);
  for (const [n, [ssrc, lastReference, sinceMs]] of entries.entries()) {
    out.writeUInt32BE(ssrc, 12 + n * 12);
    out.writeUInt32BE(lastReference, 16 + n * 12);
    out.writeUInt32BE(Math.round(sinceMs * 65.536), 20 + n * 12);
  }
  return out;
}

const answersIn = (bytes: Buffer) =>
  parseRtcp(bytes).flatMap((packet) => (packet.type === 'reference-answers' ? packet.answers : []));
/** The middle 32 bits of the time in a request, which the sender gives back. */
const middleOf = (request: Buffer) => request.readUInt32BE(14);

it('measures the round trip of a reference time, without the time the sender kept it', () => {
  const roundTrip = new RoundTrip(ours);
  expect(roundTrip.ms).toBeUndefined();
  const request = roundTrip.writeReferenceTime(500_250);
  expect(request.subarray(0, 4)).toEqual(Buffer.of(0x80, 207, 0, 4));
  roundTrip.onAnswers(
    answersIn(
      answer([
        [1, 9, 9],
        [ours, middleOf(request), 400],
      ]),
    ),
    500_250 + 2700 + 400,
  );
  expect(roundTrip.ms).toBeCloseTo(2700, 0);
});

it('measures across the wrap of the NTP time, which happens every 18 hours', () => {
  const roundTrip = new RoundTrip(ours);
  const beforeWrapMs = 65_536_000 - 100;
  const request = roundTrip.writeReferenceTime(beforeWrapMs);
  roundTrip.onAnswers(answersIn(answer([[ours, middleOf(request), 50]])), beforeWrapMs + 250);
  expect(roundTrip.ms).toBeCloseTo(200, 0);
});

it('ignores answers to others, from the future, and of a sender that stopped answering', () => {
  const roundTrip = new RoundTrip(ours);
  const request = roundTrip.writeReferenceTime(10_000);
  roundTrip.onAnswers(answersIn(answer([[ours + 1, middleOf(request), 0]])), 10_100);
  roundTrip.onAnswers(answersIn(answer([[ours, 0, 0]])), 10_100);
  roundTrip.onAnswers(answersIn(answer([[ours, middleOf(request), 5000]])), 10_100);
  expect(roundTrip.ms).toBeUndefined();
  roundTrip.onAnswers(answersIn(answer([[ours, middleOf(request), 20]])), 10_100);
  expect(roundTrip.ms).toBeCloseTo(80, 0);
  roundTrip.writeReferenceTime(15_000);
  expect(roundTrip.ms).toBeCloseTo(80, 0);
  roundTrip.writeReferenceTime(21_000);
  expect(roundTrip.ms).toBeUndefined();
});

it('parses extended reports that are cut off or declare a wrong length at every byte', () => {
  const whole = answer([
    [ours, 1, 1],
    [2, 2, 2],
  ]);
  for (let length = 0; length <= whole.length; length++)
    expect(() => parseRtcp(whole.subarray(0, length))).not.toThrow();
  for (let at = 0; at < whole.length; at++) {
    const bent = Buffer.from(whole);
    bent[at] = 0xff;
    expect(() => parseRtcp(bent)).not.toThrow();
  }
});
