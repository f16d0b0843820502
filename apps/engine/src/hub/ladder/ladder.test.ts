import { setTimeout as sleep } from 'node:timers/promises';
import type { LadderPlan } from '@weir/engine-api';
import type { MediaFrame } from '@weir/media';
import { createLog } from '@weir/plane';
import { defaultVhost } from '@weir/streams';
import { afterEach, beforeAll, expect, it } from 'vitest';
import { client, place } from '../frames.fixture.ts';
import { Hub } from '../hub.ts';
import { type Clip, record, until } from '../player-views/player-views.fixture.ts';
import type { Publication } from '../stream.ts';
import { Ladders } from './ladders.ts';

const plan: LadderPlan = {
  vhost: defaultVhost,
  app: place.app,
  stream: place.name,
  encoder: 'libx264',
  preset: 'ultrafast',
  device: '',
  isOnDemand: false,
  hasAudioOnly: true,
  rungs: [
    { lines: 144, kbps: 200 },
    { lines: 90, kbps: 100 },
  ],
};

let clip: Clip;
const closing: (() => Promise<void>)[] = [];
beforeAll(() => {
  clip = record(4, 'bFrames');
});
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

/** A stream with a ladder, and what its lead and rungs had. */
function open(plans: readonly LadderPlan[] = [plan]) {
  const hub = new Hub({ returnMs: 60_000 });
  const ladders = new Ladders({ hub, log: createLog('test', 'error') });
  ladders.setPlans(plans);
  const stream = hub.open(place);
  if (!stream) throw new Error('no stream');
  const lead: MediaFrame[] = [];
  const rungs = new Map<string, MediaFrame[]>();
  const keep = (frames: MediaFrame[]) => ({
    onConfig: () => undefined,
    onFrame: (frame: MediaFrame) => frames.push(frame),
    onDiscontinuity: () => undefined,
    close: () => undefined,
  });
  stream.attach({ ...keep(lead), onFrame: (frame) => frame.kind === 'video' && lead.push(frame) });
  const look = () => {
    for (const quality of stream.qualities.all) {
      if (rungs.has(quality.name)) continue;
      const frames = [...quality.cached()];
      rungs.set(quality.name, frames);
      quality.attach(keep(frames));
    }
  };
  closing.push(async () => {
    hub.close();
    await ladders.close();
  });
  return { hub, stream, ladders, lead, rungs, look, publication: stream.publish(client()) };
}

/** Fewer than an encoder may have inside for any time. */
const mostAhead = 10;

/** Sends the clip five times as fast as it plays; times are those of a publisher that rounds and jitters. */
async function play(
  publication: Publication,
  { from = 0, look, came }: { from?: number; look: () => void; came?: () => number },
): Promise<void> {
  if (clip.video) publication.config(clip.video);
  for (const [index, frame] of clip.frames.entries()) {
    const offMs = from + ((index * 7) % 5);
    publication.frame({ ...frame, dtsMs: frame.dtsMs + offMs, ptsMs: frame.ptsMs + offMs });
    look();
    await sleep(8);
    // An encoder that is behind would be given no more.
    if (came && index > mostAhead) await until(() => came() > index - mostAhead, 'frames of the encoder');
  }
}

const times = (frames: readonly MediaFrame[]) => frames.map(({ dtsMs }) => dtsMs);
const keyTimes = (frames: readonly MediaFrame[]) => times(frames.filter(({ isKeyframe }) => isKeyframe));

it('has the frames of the stream with exactly its times and keyframes in all qualities, also of a stream with B-frames', async () => {
  const { publication, lead, rungs, look, ladders } = open();
  const came = () => {
    look();
    return rungs.get('90p')?.length ?? 0;
  };
  await play(publication, { look, came });
  await until(() => (rungs.get('90p')?.length ?? 0) >= lead.length - 6, 'all frames');
  expect([...rungs.keys()].sort()).toEqual(['144p', '90p']);
  const shown = new Set(lead.map(({ ptsMs }) => ptsMs));
  for (const frames of rungs.values()) {
    expect(frames.every(({ ptsMs }) => shown.has(ptsMs))).toBe(true);
    const keys = keyTimes(frames);
    expect(keys.length).toBeGreaterThanOrEqual(3);
    expect(keys).toEqual(keyTimes(lead).slice(0, keys.length));
    const ordered = times(frames);
    expect(ordered).toEqual(ordered.toSorted((a, b) => a - b));
  }
  expect(ladders.statuses()).toMatchObject([
    { state: 'running', reason: '', rungs: [{ name: '144p' }, { name: '90p' }] },
  ]);
});

it('begins again with the next keyframe when ffmpeg is killed, and takes other qualities in the middle', async () => {
  const { publication, rungs, look, ladders, lead } = open();
  const first = play(publication, { look });
  // The clip may be over before a busy machine has started ffmpeg.
  const hasFrames = (name: string, least = 0) => {
    look();
    return (rungs.get(name)?.length ?? 0) > least;
  };
  const pid = () => ladders.statuses()[0]?.pid ?? 0;
  await until(() => hasFrames('144p', 5) && pid() > 0, 'frames');
  process.kill(pid(), 'SIGKILL');
  await first;
  await until(() => (ladders.statuses()[0]?.starts ?? 0) >= 2, 'another child');
  const had = rungs.get('144p')?.length ?? 0;
  ladders.setPlans([{ ...plan, rungs: [{ lines: 108, kbps: 150 }] }]);
  await play(publication, { from: 4000, look });
  await until(() => hasFrames('108p'), 'the other quality');
  const [status] = ladders.statuses();
  expect(status?.state).toBe('running');
  expect(status?.starts).toBeGreaterThanOrEqual(3);
  const frames = rungs.get('144p') ?? [];
  expect(frames.length).toBeGreaterThan(had - 1);
  // Whole from its first frame to its last, but for the hole, which ends with a keyframe. A busy machine may come to its end before that.
  const shown = new Set(frames.map(({ ptsMs }) => ptsMs));
  const from = frames[0]?.ptsMs ?? 0;
  const missing = lead.map(({ ptsMs }) => ptsMs).filter((ms) => ms > from && !shown.has(ms));
  const next = frames.find(({ ptsMs }) => ptsMs > Math.min(...missing));
  expect(next === undefined || next.isKeyframe).toBe(true);
});

it('begins again when ffmpeg hangs, which gets no more frames meanwhile', async () => {
  const { publication, rungs, look, ladders } = open();
  const pid = () => ladders.statuses()[0]?.pid ?? 0;
  const count = () => {
    look();
    return rungs.get('90p')?.length ?? 0;
  };
  await play(publication, { look });
  await until(() => count() > 5, 'frames');
  process.kill(pid(), 'SIGSTOP');
  const starts = () => ladders.statuses()[0]?.starts ?? 0;
  for (let round = 1; round < 100 && starts() < 2; round++) await play(publication, { from: round * 4000, look });
  expect(starts()).toBe(2);
});

it.each([
  ['a picture that is smaller', { rungs: [{ lines: 360, kbps: 500 }] }, 'smaller than all'],
  ['qualities of the publisher', {}, 'several qualities itself'],
])('makes nothing of %s, and says so', async (what, change, reason) => {
  const { publication, stream, ladders } = open([{ ...plan, ...change }]);
  if (clip.video && what.startsWith('qualities')) publication.lower(1, clip.video);
  if (clip.video) publication.config(clip.video);
  for (const frame of clip.frames.slice(0, 3)) publication.frame(frame);
  expect(ladders.statuses()).toMatchObject([{ state: 'idle', pid: 0, reason: expect.stringContaining(reason) }]);
  expect(stream.qualities.all).toEqual([]);
});

it('makes a ladder on demand for the first viewer, and says before that nobody watches', async () => {
  const { hub, publication, ladders } = open([{ ...plan, isOnDemand: true }]);
  const state = () => ladders.statuses()[0]?.state;
  if (clip.video) publication.config(clip.video);
  for (const frame of clip.frames.slice(0, 30)) publication.frame(frame);
  expect(state()).toBe('unwatched');
  hub.clients.add(client('rtmp-play'));
  await until(() => state() === 'running', 'a ladder');
});
