import { expect, it } from 'vitest';
import { activeStream } from '../../testing/fake-server.ts';
import { settledBitrate } from './settled-bitrate.ts';

const startMs = Date.parse('2026-01-01T00:00:00.000Z');
const media = {
  protocol: 'rtmp',
  address: '',
  viewers: 0,
  kbps: 9000,
  fps: 25,
  bFrames: false,
  video: null,
  audio: null,
};

it('shows no bitrate while a publisher sends what it has buffered', () => {
  const stream = activeStream({ media });
  expect(settledBitrate(stream, startMs + 3000)).toBeUndefined();
  expect(settledBitrate(stream, startMs + 8000)).toBe(9000);
  expect(settledBitrate(stream, startMs - 5000)).toBe(9000);
});

it('shows no bitrate of zero before the first measurement', () => {
  expect(settledBitrate(activeStream({ media: { ...media, kbps: 0 } }), startMs + 60_000)).toBeUndefined();
  expect(settledBitrate(activeStream(), startMs + 60_000)).toBeUndefined();
});
