import { duplexPair } from 'node:stream';
import type { MediaFrame, TrackConfig } from '@weir/media';
import { expect, it, vi } from 'vitest';
import { client, place } from '../../hub/frames.fixture.ts';
import { Stream } from '../../hub/stream.ts';
import { sample } from '../../packagers/hls/hls-source.fixture.ts';
import type { EngineNote, WorkerNote } from '../link/notes.ts';
import { WorkerLink } from '../link/worker-link.ts';
import { MirroredStreams } from '../worker/mirrored-streams.ts';
import { StreamFeeds } from './stream-feed.ts';

const { configs, frames } = sample(4);
const nothing = () => undefined;

/** Both ends of a link, and a published stream. */
function open() {
  const [here, there] = duplexPair();
  const streams = new MirroredStreams((error) => {
    throw error;
  });
  const notes: EngineNote[] = [];
  new WorkerLink<EngineNote, WorkerNote>(there, {
    onNote: (note) => {
      notes.push(note);
      streams.onNote(note);
    },
    onFrame: (feed, frame) => streams.frame(feed, frame),
    onLost: nothing,
  });
  const link = new WorkerLink<WorkerNote, EngineNote>(here, { onNote: nothing, onFrame: nothing, onLost: nothing });
  const stream = new Stream({ key: 'live/one', place, returnMs: 60_000, onOver: nothing });
  const publication = stream.publish(client('rtc-publish'));
  for (const config of configs) publication.config(config);
  return { link, streams, notes, stream, publication };
}

/** A packager that keeps what it gets. */
function listener() {
  const got = { configs: [] as TrackConfig[], frames: [] as MediaFrame[], seams: 0, isOver: false };
  const packager = {
    onConfig: (config: TrackConfig) => void got.configs.push(config),
    onFrame: (frame: MediaFrame) => void got.frames.push(frame),
    onDiscontinuity: () => {
      got.seams += 1;
    },
    close: () => {
      got.isOver = true;
    },
  };
  return { got, packager };
}

it('mirrors a stream in the worker from its last keyframe on, once for all its viewers', async () => {
  const { link, streams, notes, stream, publication } = open();
  const half = Math.floor(frames.length / 2);
  for (const frame of frames.slice(0, half)) publication.frame(frame);
  const cached = [...stream.cached()];
  const feeds = new StreamFeeds(link, (one) => one);
  const number = feeds.enter(stream);
  expect(feeds.enter(stream)).toBe(number);
  await vi.waitFor(() => expect(streams.get(number)?.cached()).toEqual(cached));
  expect(streams.get(number)?.publisher).toBe(stream.publisher?.key);
  const { got, packager } = listener();
  streams.get(number)?.attach(packager);
  expect(got.configs).toEqual(configs);
  for (const frame of frames.slice(half)) publication.frame(frame);
  await vi.waitFor(() => expect(got.frames).toEqual(frames.slice(half)));
  feeds.leave(stream);
  stream.close();
  await vi.waitFor(() => expect(got.isOver).toBe(true));
  feeds.leave(stream);
  await vi.waitFor(() => expect(streams.get(number)).toBeUndefined());
  expect(notes.filter(({ type }) => type === 'feed')).toHaveLength(1);
});

it('announces another publisher, and whether it accepts keyframe requests', async () => {
  const { link, streams, stream, publication } = open();
  const feeds = new StreamFeeds(link, (one) => one);
  const number = feeds.enter(stream);
  for (const frame of frames.slice(0, 50)) publication.frame(frame);
  publication.end();
  const other = stream.publish(client('rtmp-publish'));
  const { got, packager } = listener();
  await vi.waitFor(() => expect(streams.get(number)?.cached().length).toBeGreaterThan(0));
  streams.get(number)?.attach(packager);
  for (const frame of frames.slice(0, 50)) other.frame(frame);
  await vi.waitFor(() => expect(got).toMatchObject({ seams: 1, frames: { length: 50 } }));
  expect(streams.get(number)?.publisher).toBe('');
  stream.close();
});

it('says which input of a program can be asked for keyframes, as soon as it is on air', () => {
  const stream = new Stream({ key: 'live/one', place, returnMs: 60_000, onOver: nothing });
  const program = client('program-publish');
  const [main, backup] = [client('rtc-publish'), client('rtmp-publish')];
  let onAir = main;
  program.onAir = () => onAir;
  const publication = stream.publish(program);
  for (const config of configs) publication.config(config);
  const notes: EngineNote[] = [];
  const link = { queuedBytes: 0, tell: (note: EngineNote) => void notes.push(note), frame: nothing };
  new StreamFeeds(link, (one) => one).enter(stream);
  const keyframes = frames.flatMap(({ kind, isKeyframe }, index) => (kind === 'video' && isKeyframe ? [index] : []));
  for (const frame of frames.slice(0, keyframes[1])) publication.frame(frame);
  onAir = backup;
  for (const frame of frames.slice(keyframes[1], keyframes[2])) publication.frame(frame);
  onAir = main;
  for (const frame of frames.slice(keyframes[2])) publication.frame(frame);
  const told = notes.flatMap((note) => ('publisher' in note ? [[note.type, note.publisher]] : []));
  expect(told).toEqual([
    ['feed', main.key],
    ['feed-publisher', ''],
    ['feed-publisher', main.key],
  ]);
  stream.close();
});

it('sends nothing to a worker that does not read, does not wait for it, and resumes with a keyframe', () => {
  const { stream, publication } = open();
  const sent: MediaFrame[] = [];
  const link = { queuedBytes: 0, tell: nothing, frame: (_number: number, frame: MediaFrame) => void sent.push(frame) };
  const feeds = new StreamFeeds(link, (one) => one);
  feeds.enter(stream);
  const keyframes = frames.filter(({ kind, isKeyframe }) => kind === 'video' && isKeyframe);
  const second = frames.indexOf(keyframes[1] as MediaFrame);
  const third = frames.indexOf(keyframes[2] as MediaFrame);
  for (const frame of frames.slice(0, second)) publication.frame(frame);
  expect(sent).toHaveLength(second);
  link.queuedBytes = 2 ** 30;
  for (const frame of frames.slice(second, second + 5)) publication.frame(frame);
  expect(sent).toHaveLength(second);
  link.queuedBytes = 0;
  for (const frame of frames.slice(second + 5)) publication.frame(frame);
  const pictures = sent.slice(second).filter(({ kind }) => kind === 'video');
  expect(pictures[0]).toEqual(frames[third]);
  expect(feeds.takeDropped()).toBe(frames.length - sent.length);
  expect(feeds.takeDropped()).toBe(0);
  stream.close();
});
