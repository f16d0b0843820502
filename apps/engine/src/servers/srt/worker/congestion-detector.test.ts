import { expect, it } from 'vitest';
import { CongestionDetector } from './congestion-detector.ts';

/** One second after the other: round trip, and what was lost of 100 packets. */
function crowdedSeconds(seconds: readonly (readonly [rttMs: number, lost: number])[]): boolean[] {
  const line = new CongestionDetector();
  let [packetsLost, packetsReceived] = [0, 0];
  return seconds.map(([rttMs, lost]) => {
    packetsLost += lost;
    packetsReceived += 100 - lost;
    line.update({ rttMs, packetsLost, packetsReceived });
    return line.isCrowded;
  });
}

it('reports congestion when packets get lost and the round trip grows, until either is over', () => {
  const seconds = [
    [20, 0],
    [21, 0],
    [160, 30],
    [220, 50],
    [230, 45],
    [60, 0],
    [22, 0],
  ] as const;
  expect(crowdedSeconds(seconds)).toEqual([false, false, true, true, true, false, false]);
});

it('does not report congestion when packets only get lost, or are only slow', () => {
  expect(
    crowdedSeconds([
      [40, 0],
      [42, 20],
      [41, 25],
      [45, 15],
    ]),
  ).toEqual([false, false, false, false]);
  expect(
    crowdedSeconds([
      [40, 0],
      [300, 2],
      [310, 1],
      [305, 0],
    ]),
  ).toEqual([false, false, false, false]);
});
