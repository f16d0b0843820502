import type { StreamSamples } from '@weir/contract';
import { streamSampleFields } from '@weir/streams';
import { expect, it } from 'vitest';
import { latestOf, peakViewers } from './stream-figures.ts';

function samplesOf(columns: Partial<StreamSamples['columns']>, length: number): StreamSamples {
  const at = Array.from({ length }, (_, index) => index * 1000);
  const none = Object.fromEntries(streamSampleFields.map((field) => [field, at.map(() => null)]));
  return { at, columns: { ...none, ...columns } as StreamSamples['columns'] };
}

it('finds the newest known value, and none that is older than a few seconds', () => {
  const samples = samplesOf({ rttMs: [80, 84, null, null, null, null], fps: [25, null, null, null, null, null] }, 6);
  expect(latestOf(samples, 'rttMs')).toBe(84);
  expect(latestOf(samples, 'fps')).toBeUndefined();
  expect(latestOf(undefined, 'fps')).toBeUndefined();
});

it('counts the most viewers at once over all protocols', () => {
  expect(peakViewers(samplesOf({ rtc: [1, 4, 0], hls: [2, 1, 3] }, 3))).toBe(5);
  expect(peakViewers(samplesOf({}, 0))).toBe(0);
});
