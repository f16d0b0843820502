import type { MediaFrame, TrackConfig } from '@weir/media';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { audioConfig, client, picture, place, sound, videoConfig } from '../frames.fixture.ts';
import { Hub } from '../hub.ts';
import type { Packager } from '../packager.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const both = { videocodecid: 7, audiocodecid: 10, encoder: 'x' };

/** A stream and what its packagers hear. */
function open() {
  const stream = new Hub({ returnMs: 60_000 }).open(place);
  if (!stream) throw new Error('no stream');
  const heard: string[] = [];
  const packager: Packager = {
    onConfig: ({ kind }: TrackConfig) => heard.push(`config ${kind}`),
    onTrackMissing: (kind) => heard.push(`no ${kind}`),
    onFrame: ({ kind, dtsMs }: MediaFrame) => heard.push(`${kind} ${dtsMs}`),
    onDiscontinuity: () => heard.push('seam'),
    close: () => undefined,
  };
  stream.attach(packager);
  const drain = () => heard.splice(0);
  return { stream, drain };
}

it('passes frames on at once when every announced track has arrived', () => {
  const { stream, drain } = open();
  const publication = stream.publish(client());
  publication.metadata(both);
  publication.config(videoConfig);
  publication.config(audioConfig);
  publication.frame(sound(100));
  expect(drain()).toEqual(['config video', 'config audio']);
  publication.frame(picture(140, true));
  expect(drain()).toEqual(['audio 0', 'video 40']);
  publication.frame(sound(123));
  expect(drain()).toEqual(['audio 23']);
  expect(stream.metadata).toEqual(both);
});

it('does not wait when no other track was announced', () => {
  const { stream, drain } = open();
  const publication = stream.publish(client());
  publication.config(audioConfig);
  publication.frame(sound(7));
  expect(drain()).toEqual(['config audio', 'audio 0']);
});

it('starts after a second without an announced track, and adds it when it arrives', () => {
  const { stream, drain } = open();
  const publication = stream.publish(client());
  publication.metadata(both);
  publication.config(videoConfig);
  publication.frame(picture(0, true));
  publication.frame(picture(40));
  vi.advanceTimersByTime(900);
  expect(drain()).toEqual(['config video']);
  vi.advanceTimersByTime(200);
  expect(drain()).toEqual(['video 0', 'video 40']);
  expect(stream.metadata).toEqual({ videocodecid: 7, encoder: 'x' });
  publication.config(audioConfig);
  expect(drain()).toEqual([]);
  publication.frame(sound(5000));
  expect(drain()).toEqual(['config audio', 'audio 5000']);
  expect(stream.metadata).toEqual(both);
});

it('removes a track that has a config and no frame', () => {
  const { stream, drain } = open();
  const publication = stream.publish(client());
  publication.config(videoConfig);
  publication.config(audioConfig);
  for (let ms = 0; ms <= 1000; ms += 500) publication.frame(picture(ms, ms === 0));
  vi.advanceTimersByTime(1100);
  expect(drain()).toEqual(['config video', 'config audio', 'no audio', 'video 0', 'video 500', 'video 1000']);
  expect([stream.video?.kind, stream.audio]).toEqual(['video', undefined]);
  publication.frame(sound(1100));
  expect(drain()).toEqual(['config audio', 'audio 1100']);
});

it('does not hold more than its memory limit', () => {
  const { stream, drain } = open();
  const publication = stream.publish(client());
  publication.metadata(both);
  publication.frame(picture(0, true, 4 * 1024 * 1024));
  expect(drain()).toEqual([]);
  publication.frame(picture(40, false, 4 * 1024 * 1024));
  expect(drain()).toEqual(['video 0', 'video 40']);
});

it('drops held frames that were made with an earlier config', () => {
  const { stream, drain } = open();
  const publication = stream.publish(client());
  publication.metadata(both);
  publication.config(videoConfig);
  publication.frame(picture(0, true));
  publication.config({ ...videoConfig, record: Buffer.from('other') });
  expect(drain()).toEqual(['config video', 'video 0', 'config video']);
});

it('joins another publisher at its keyframe, without tracks that only the previous publisher had', () => {
  const { stream, drain } = open();
  const first = stream.publish(client());
  first.config(videoConfig);
  first.config(audioConfig);
  for (let n = 0; n < 10; n++) {
    first.frame(picture(n * 40, n === 0));
    first.frame(sound(n * 40));
  }
  first.end();
  drain();
  const second = stream.publish(client());
  second.metadata(both);
  second.config(videoConfig);
  second.config(audioConfig);
  for (const ms of [40, 80, 120]) second.frame(sound(ms));
  expect(drain()).toEqual([]);
  second.frame(picture(100, true));
  expect(drain()).toEqual(['seam', 'video 400', 'audio 380', 'audio 420']);
  second.end();
  const third = stream.publish(client());
  third.config(videoConfig);
  third.frame(picture(0, true));
  expect(drain()).toEqual(['no audio', 'seam', 'video 440']);
});

it('passes on the held frames when the publisher leaves', () => {
  const { stream, drain } = open();
  const publication = stream.publish(client());
  publication.metadata(both);
  publication.config(videoConfig);
  publication.frame(picture(0, true));
  publication.end();
  expect(drain()).toEqual(['config video', 'video 0']);
  expect(vi.getTimerCount()).toBeGreaterThan(0);
});
