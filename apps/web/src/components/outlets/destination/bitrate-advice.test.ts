import { expect, it } from 'vitest';
import { adviseBitrate } from './bitrate-advice.ts';

it.each([
  ['youtube', { height: 1080, fps: 30, kbps: 4100 }, { verdict: 'fits', least: 3000, most: 10_000 }],
  ['twitch', { height: 1080, fps: 59.94, kbps: 8000 }, { verdict: 'high', most: 6000, fps: 60 }],
  ['facebook', { height: 720, fps: 25, kbps: 900 }, { verdict: 'low', least: 2000, most: 4000 }],
  ['bilibili', { height: 360, fps: 25, kbps: 600 }, { verdict: 'fits' }],
] as const)('compares a stream with what %s recommends: %j', (preset, video, advice) => {
  expect(adviseBitrate(preset, video)).toMatchObject(advice);
});

it('gives no advice before size and bitrate are known', () => {
  expect(adviseBitrate('youtube', { height: 0, fps: 0, kbps: 5000 })).toBeUndefined();
  expect(adviseBitrate('youtube', { height: 720, fps: 25, kbps: 0 })).toBeUndefined();
});
