import { expect, it } from 'vitest';
import { client, picture, place, sound, videoConfig } from '../frames.fixture.ts';
import { Stream } from '../stream.ts';
import { GapWatch } from './gap-watch.ts';

function open() {
  const stream = new Stream({ key: 'live/one', place, returnMs: 60_000, onOver: () => undefined });
  const publication = stream.publish(client());
  publication.config(videoConfig);
  const ends = { segmentMs: 0, partMs: 0 };
  let nowMs = 0;
  const watch = new GapWatch({ classic: stream, webrtc: stream, hlsEnds: () => ends, nowMs: () => nowMs });
  let frameMs = 0;
  /** Frames of so much time, or a pause of it, with a part each 200 ms and a segment each second. */
  const run = (ms: number, isSending = true, isHole = true) => {
    for (const untilMs = nowMs + ms; nowMs < untilMs; nowMs += 40) {
      if (isSending) publication.frame(picture(frameMs, frameMs % 1000 === 0));
      if (isSending && frameMs % 200 === 0) ends.partMs = frameMs;
      if (isSending && frameMs % 1000 === 0) ends.segmentMs = frameMs;
      if (isSending || isHole) frameMs += 40;
      watch.look();
    }
  };
  return { stream, publication, watch, run };
}

it('the gap of a protocol is the longest time without video that it was sent, beyond the length of its pieces', () => {
  const { stream, watch, run } = open();
  run(4000);
  run(720, false);
  run(4000);
  watch.close();
  const gaps = Object.fromEntries(watch.gaps.map(({ protocol, gapMs }) => [protocol, gapMs]));
  expect(gaps).toMatchObject({ rtmp: 760, flv: 760, srt: 760, whep: 760 });
  expect(gaps).toMatchObject({ 'll-hls': 760, hls: 760 });
  stream.close();
});

it('of HLS only what comes late is a gap, where the stream has no hole', () => {
  const { stream, watch, run } = open();
  run(4000);
  run(360, false, false);
  run(4000);
  watch.close();
  const gaps = Object.fromEntries(watch.gaps.map(({ protocol, gapMs }) => [protocol, gapMs]));
  expect(gaps).toMatchObject({ flv: 400, 'll-hls': 360, hls: 360 });
  stream.close();
});

it('video that never comes again is a gap until the end of the watch, and audio does not end it', () => {
  const { stream, publication, watch, run } = open();
  run(1000);
  run(400, false);
  publication.frame(sound(1400));
  run(600, false);
  watch.close();
  run(1000);
  expect(watch.gaps.find(({ protocol }) => protocol === 'flv')).toEqual({ protocol: 'flv', gapMs: 1040 });
  stream.close();
});

it('a protocol by which nothing is sent has no gap', () => {
  const { stream, watch } = open();
  watch.close();
  expect(watch.gaps).toEqual([]);
  stream.close();
});
