import { expect, it } from 'vitest';
import { qualityName, readQuality } from './quality.ts';

it.each([
  [1920, 1080, '1080p'],
  [1080, 1920, '1080p'],
  [1920, 1088, '1080p'],
  [960, 540, '540p'],
  [240, 134, '135p'],
  [480, 270, '270p'],
  [854, 480, '480p'],
  [320, 200, '200p'],
  [0, 0, '0p'],
])('names %i × %i %s', (width, height, name) => {
  expect(qualityName({ width, height })).toBe(name);
});

it.each([
  ['?quality=720p', '720p'],
  ['token=a&quality=720p-2&x=y', '720p-2'],
  ['?quality=', undefined],
  ['?quality=../x', undefined],
  ['?quality=720p%00', undefined],
  ['?inequality=720p', undefined],
  ['', undefined],
])('reads the quality of %s', (query, name) => {
  expect(readQuality(query)).toBe(name);
});
