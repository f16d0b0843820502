import type { AudioConfig, MediaFrame, TrackConfig, VideoConfig } from '@weir/media';
import { expect, it } from 'vitest';
import { audioConfig, picture, sound, videoConfig } from '../frames.fixture.ts';
import { PublishedTracks } from './published-tracks.ts';

const size = (width: number, height: number, codec: VideoConfig['codec'] = 'h264'): VideoConfig => ({
  ...videoConfig,
  codec,
  width,
  height,
});

/** Describes in words which of several tracks the stream gets. */
function open() {
  const heard: string[] = [];
  const facts = (media: TrackConfig | MediaFrame) => {
    if ('payload' in media) return `${media.kind[0]}${media.dtsMs}`;
    return media.kind === 'video' ? `${media.height}` : 'audio';
  };
  const tracks = new PublishedTracks({
    config: (config) => heard.push(`stream ${facts(config)}`),
    frame: (frame) => heard.push(`stream ${facts(frame)}`),
    metadata: () => heard.push('metadata'),
    lower: (layer, media) => heard.push(`lower ${layer} ${facts(media)}`),
    lead: (layer) => heard.push(`lead ${layer}`),
    audioTrack: (track, media) => heard.push(`audio ${track} ${facts(media)}`),
  });
  const config = (track: number, value: VideoConfig | AudioConfig) =>
    tracks.push({ type: 'config', config: value }, track);
  const frame = (track: number, value: MediaFrame) => tracks.push({ type: 'frame', frame: value }, track);
  return { tracks, config, frame, drain: () => heard.splice(0) };
}

it('passes a publisher of one track on as it is', () => {
  const { tracks, config, frame, drain } = open();
  tracks.push({ type: 'metadata', values: {} }, 0);
  config(0, size(640, 360));
  config(0, audioConfig);
  frame(0, picture(0, true));
  frame(0, sound(5));
  expect(drain()).toEqual(['metadata', 'stream 360', 'stream audio', 'stream v0', 'stream a5']);
});

it('makes the largest track the stream, whatever its number', () => {
  const { config, frame, drain } = open();
  config(0, size(640, 360));
  config(1, size(1280, 720));
  config(2, size(320, 180));
  expect(drain()).toEqual(['stream 360', 'lead 0', 'lead 1', 'stream 720', 'lower 0 360', 'lower 2 180']);
  for (const track of [0, 1, 2]) frame(track, picture(0, true));
  expect(drain()).toEqual(['lower 0 v0', 'stream v0', 'lower 2 v0']);
});

it('goes on with the next track when the largest pauses, and returns to it once it is steady', () => {
  const { config, frame, drain } = open();
  config(0, size(1280, 720));
  config(1, size(640, 360));
  for (const track of [0, 1]) frame(track, picture(0, true));
  drain();
  frame(1, picture(1000, true));
  expect(drain()).toEqual(['lower 1 v1000']);
  frame(1, picture(1040));
  frame(1, picture(2000, true));
  expect(drain()).toEqual(['lower 1 v1040', 'lead 1', 'stream 360', 'lower 0 720', 'stream v2000']);
  for (let ms = 3000; ms < 8000; ms += 1000) for (const track of [0, 1]) frame(track, picture(ms, true));
  drain();
  for (const track of [0, 1]) frame(track, picture(8000, true));
  expect(drain()).toEqual(['lead 0', 'stream 720', 'lower 1 360', 'stream v8000', 'lower 1 v8000']);
});

it('does not let a larger track of another codec lead, unless it is the only one', () => {
  const { config, frame, drain } = open();
  config(0, size(1280, 720));
  config(1, size(2560, 1440, 'h265'));
  expect(drain()).toEqual(['stream 720', 'lead 0', 'lower 1 1440']);
  frame(1, picture(0, true));
  frame(1, picture(2000, true));
  expect(drain()).toEqual(['lower 1 v0', 'lead 1', 'stream 1440', 'lower 0 720', 'stream v2000']);
});

it('makes audio beside the first track an alternative', () => {
  const { config, frame, drain } = open();
  config(0, audioConfig);
  config(3, audioConfig);
  frame(3, sound(5));
  frame(0, sound(5));
  expect(drain()).toEqual(['stream audio', 'audio 3 audio', 'audio 3 a5', 'stream a5']);
});
