import { engineApi } from '@weir/engine-api';
import { afterEach, expect, it } from 'vitest';
import { client, picture, place, sound, videoConfig } from '../hub/frames.fixture.ts';
import { Hub } from '../hub/hub.ts';
import { serveKeyframes } from './serve-keyframes.ts';
import { ServedCalls } from './served-calls.fixture.ts';

const hub = new Hub({ returnMs: 15_000 });
afterEach(() => hub.close());

it('answers with the last keyframe as an MP4 of one frame, and with nothing when there is none', () => {
  const api = new ServedCalls();
  serveKeyframes(api, hub, { find: () => undefined });
  const answer = () =>
    api.call(engineApi.keyframe, { vhost: place.vhost, app: place.app, stream: place.name, input: '' });
  expect(answer()).toBeUndefined();
  const publication = hub.open(place)?.publish(client());
  publication?.frame(sound(0));
  expect(answer()).toEqual({ movie: '' });
  publication?.config(videoConfig);
  publication?.frame(picture(0, true, 1000));
  publication?.frame(picture(40, false, 500));
  const movie = Buffer.from(answer()?.movie ?? '', 'base64');
  expect(movie.subarray(4, 8).toString()).toBe('ftyp');
  // Frames between keyframes are not decodable alone.
  expect(movie.subarray(-1008).readUInt32BE(0)).toBe(1008);
  publication?.end();
  expect(answer()).toBeUndefined();
});
