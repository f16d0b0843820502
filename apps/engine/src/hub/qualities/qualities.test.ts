import type { MediaFrame, VideoConfig } from '@weir/media';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { quietLog } from '../../quiet-log.fixture.ts';
import { audioConfig, client, picture, place, sound, videoConfig } from '../frames.fixture.ts';
import { Hub } from '../hub.ts';
import { PlayerViews } from '../player-views/player-views.ts';
import type { Stream } from '../stream.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const size = (width: number, height: number): VideoConfig => ({
  ...videoConfig,
  width,
  height,
  record: Buffer.from(`${width}`),
});

/** A stream of 720 lines whose publisher has layers of 360 and 180. */
function open() {
  const stream = new Hub({ returnMs: 600_000 }).open(place);
  if (!stream) throw new Error('no stream');
  const publish = () => {
    const publication = stream.publish(client('rtc-publish'));
    publication.lead(2);
    publication.config(size(1280, 720));
    publication.config(audioConfig);
    publication.lower(1, size(640, 360));
    publication.lower(0, size(320, 180));
    return publication;
  };
  return { stream, publish, names: () => stream.qualities.offered.map(({ name }) => name) };
}

const find = ({ qualities }: Stream, name: string) => qualities.all.find((quality) => quality.name === name);

function listen() {
  const heard: string[] = [];
  const packager = {
    onConfig: (config: { kind: string; width?: number }) =>
      void heard.push(`${config.kind} ${config.width ?? ''}`.trim()),
    onFrame: ({ kind, dtsMs }: MediaFrame) => void heard.push(`${kind[0]}${dtsMs}`),
    onDiscontinuity: () => void heard.push('seam'),
    close: () => void heard.push('over'),
  };
  return { packager, drain: () => heard.splice(0).join(', ') };
}

it('names lower qualities by their size, on the clock of the stream, and keeps what comes before the first frame', () => {
  const { stream, publish, names } = open();
  const publication = publish();
  publication.lower(0, picture(5000, true));
  expect(names()).toEqual([]);
  publication.frame(sound(5000));
  publication.frame(picture(5000, true));
  publication.lower(1, picture(5000, true));
  expect(names()).toEqual(['360p', '180p']);
  expect(stream.qualities.leadName).toBe('720p');
  expect(
    find(stream, '180p')
      ?.cached()
      .map(({ dtsMs }) => dtsMs),
  ).toEqual([0]);
});

it('does not offer what pauses or leads, and lets viewers of the leading one go on', () => {
  const { stream, publish, names } = open();
  const publication = publish();
  publication.frame(sound(0));
  publication.frame(picture(0, true));
  publication.lower(1, picture(0, true));
  publication.lower(0, picture(0, true));
  const { packager, drain } = listen();
  find(stream, '360p')?.attach(packager);
  expect(drain()).toBe('video 640');
  publication.lead(1);
  publication.config(size(640, 360));
  publication.frame(picture(40, true));
  expect([drain(), names()]).toEqual(['v40', ['180p']]);
  publication.lead(2);
  publication.config(size(1280, 720));
  publication.frame(picture(80, true));
  publication.lower(1, picture(80, true));
  expect([drain(), names()]).toEqual(['v80', ['360p', '180p']]);
  vi.advanceTimersByTime(1600);
  publication.lower(1, picture(1700, true));
  expect(names()).toEqual(['360p']);
});

it('continues a quality of the same name when the publisher returns, and ends it after a minute', () => {
  const { stream, publish, names } = open();
  const first = publish();
  first.frame(sound(0));
  first.frame(picture(0, true));
  first.lower(1, picture(0, true));
  const { packager, drain } = listen();
  find(stream, '360p')?.attach(packager);
  drain();
  first.end();
  const second = publish();
  second.frame(sound(700));
  second.frame(picture(700, true));
  second.lower(1, picture(700, true));
  expect(drain()).toBe('seam, seam, v40');
  vi.advanceTimersByTime(61_000);
  stream.qualities.sweep();
  expect([names(), drain()]).toEqual([[], 'over']);
});

it.each([
  [undefined, undefined],
  ['720p', undefined],
  ['2160p', undefined],
  ['540p', '360p'],
  ['360p', '360p'],
  ['200p', '180p'],
  ['90p', '180p'],
])('chooses for a viewer that asks for %s', (asked, chosen) => {
  const { stream, publish } = open();
  const publication = publish();
  publication.frame(sound(0));
  publication.frame(picture(0, true));
  publication.lower(1, picture(0, true));
  publication.lower(0, picture(0, true));
  expect(stream.qualities.choose(asked)?.name).toBe(chosen);
});

it('shows players of one connection a lower quality with the audio of the stream, in order', () => {
  const { stream, publish } = open();
  const publication = publish();
  publication.frame(sound(0));
  publication.frame(picture(0, true));
  publication.lower(1, picture(0, true));
  const view = new PlayerViews({ log: quietLog }).ofQuality(stream, stream.qualities.choose('360p'));
  expect([view.video?.width, view.audio?.codec]).toEqual([640, 'aac']);
  const { packager, drain } = listen();
  view.attach(packager);
  expect(drain()).toBe('video 640, audio');
  publication.frame(picture(40));
  publication.frame(sound(30));
  publication.lower(1, picture(40));
  publication.frame(picture(80, true));
  publication.lower(1, picture(80, true));
  publication.frame(sound(90));
  publication.frame(picture(120));
  publication.lower(1, picture(120));
  // The source began in the middle: a player has the cached frames before these.
  expect(drain()).toBe('a30, v80, a90, v120');
  publication.end();
  stream.close();
  expect(drain()).toBe('over');
});

it('S40: keeps no more than eight layers, and no more than its limit before the stream begins', () => {
  const { stream, publish, names } = open();
  const publication = publish();
  for (let layer = 3; layer < 200; layer++) publication.lower(layer, size(2 * layer, 2 * layer));
  for (let n = 0; n < 50; n++) publication.lower(1, picture(n * 40, true, 1024 * 1024));
  publication.frame(sound(0));
  publication.frame(picture(0, true));
  for (let layer = 3; layer < 200; layer++) publication.lower(layer, picture(0, true));
  expect(names().length).toBeLessThanOrEqual(8);
  expect(stream.qualities.all.length).toBeLessThanOrEqual(8);
  publication.end();
  for (let lines = 100; lines < 130; lines++) {
    const again = publish();
    again.lower(0, size(2 * lines, lines));
    again.frame(sound(0));
    again.frame(picture(0, true));
    again.lower(0, picture(0, true));
    again.end();
  }
  expect(stream.qualities.all.length).toBeLessThanOrEqual(8);
});
