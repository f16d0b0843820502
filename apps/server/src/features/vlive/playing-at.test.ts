import type { Source } from '@weir/contract';
import { expect, it } from 'vitest';
import { playingAt } from './playing-at.ts';

const format = { start_time: '', bit_rate: '', nb_streams: 2, probe_score: 100, has_video: true, has_audio: true };
const film = (uuid: string, duration: string): Source => ({
  uuid,
  name: uuid,
  path: '',
  size: 1,
  target: '',
  type: 'upload',
  video: null,
  audio: null,
  format: { ...format, duration },
});
const [a, b, live] = [film('a', '10'), film('b', '20.5'), film('live', '')];

it.each([
  [[a, b], 0, 'a'],
  [[a, b], 9999, 'a'],
  [[a, b], 10_000, 'b'],
  [[a, b], 30_499, 'b'],
  [[a, b], 30_500, 'a'],
  [[a, b], 3_050_000, 'a'],
  [[live], 5000, 'live'],
  [[], 5000, undefined],
])('a playlist of %j plays after %d ms %s', (sources, mediaMs, expected) => {
  expect(playingAt(sources, mediaMs)?.uuid).toBe(expected);
});
