import { expect, it } from 'vitest';
import { bitrateOf, planEncodings } from './encodings.ts';
import { defaultChoices } from './publish-choices.ts';

const several = { ...defaultChoices, qualities: 'several' } as const;

it.each([
  [1280, 720, [4, 2, 1]],
  [960, 540, [4, 2, 1]],
  [720, 1280, [4, 2, 1]],
  [640, 360, [2, 1]],
  [320, 180, [undefined]],
  [undefined, undefined, [undefined]],
])('plans as many qualities of %s × %s as Chromium sends, smallest first', (width, height, scales) => {
  const planned = planEncodings({ width, height }, several);
  expect(planned.map(({ scaleResolutionDownBy }) => scaleResolutionDownBy)).toEqual(scales);
  expect(planned.at(-1)?.maxBitrate).toBe(2_500_000);
});

it('plans one quality unless several are chosen', () => {
  expect(planEncodings({ width: 1920, height: 1080 }, defaultChoices)).toEqual([
    { maxBitrate: 2_500_000, maxFramerate: 30 },
  ]);
});

it('names qualities differently and gives each its share of a new bitrate', () => {
  const planned = planEncodings({ width: 1280, height: 720 }, several);
  expect(new Set(planned.map(({ rid }) => rid)).size).toBe(3);
  const choices = { ...several, kbps: '4500' } as const;
  expect(planned.map((encoding) => bitrateOf(encoding, choices))).toEqual([450_000, 1_440_000, 4_500_000]);
  expect(bitrateOf({ scaleResolutionDownBy: 4 }, { ...several, kbps: '500' })).toBe(100_000);
});
