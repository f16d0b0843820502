import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type AudioConfig, type MediaFrame, type VideoConfig, writeAudioSpecificConfig } from '@weir/media';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { PlayerViewHarness, record, until, Watcher } from '../player-views/player-views.fixture.ts';
import { ConformedSource, conformArgs, isOfForm } from './conformed-source.ts';

const video: VideoConfig = {
  kind: 'video',
  codec: 'h264',
  record: Buffer.alloc(0),
  width: 480,
  height: 360,
  profile: 'Main',
  level: '',
  fps: 30,
};
const audio: AudioConfig = {
  kind: 'audio',
  codec: 'aac',
  record: writeAudioSpecificConfig({ objectType: 2, sampleRate: 48_000, channels: 1 }),
  sampleRate: 48_000,
  channels: 1,
  profile: 'LC',
};

let harness: PlayerViewHarness;
let watcher: Watcher;
beforeEach(() => {
  watcher = new Watcher();
});
afterEach(() => harness.close());

function conformed(options: ConstructorParameters<typeof PlayerViewHarness>[0] = {}): ConformedSource {
  harness = new PlayerViewHarness(options);
  // Converted frames come some frames later.
  harness.patienceMs = 100;
  const view = harness.playerViews.of(harness.stream, 'classic');
  return new ConformedSource(view, harness.playerViews.conversions('live/one', 'conform'));
}

const configs = () => watcher.seen.flatMap((item) => (item.type === 'config' ? [item.config] : []));
const isRising = (kind: 'video' | 'audio') =>
  watcher.frames(kind).every(({ dtsMs }, index, all) => index === 0 || dtsMs > (all[index - 1]?.dtsMs ?? 0));

it('an input of another size, rate and number of channels is encoded to the form of the first one', async () => {
  const source = conformed();
  source.conform({ video, audio });
  source.attach(watcher);
  const received = new Watcher();
  harness.stream.attach(received);
  await harness.play(record(4, 'plain', 'aac'), watcher);
  await until(() => watcher.frames('video').length > 60 && watcher.frames('audio').length > 60, 'it comes out');
  expect(source.isConformed).toBe(true);
  expect(configs().map((config) => isOfForm(config, config.kind === 'video' ? video : audio))).toEqual([true, true]);
  expect(configs().map(({ kind }) => kind)).toEqual(['video', 'audio']);
  expect([isRising('video'), isRising('audio')]).toEqual([true, true]);
  const before = received.frames('video')[0]?.ptsMs ?? 0;
  expect(Math.abs((watcher.frames('video')[0]?.ptsMs ?? 0) - before)).toBeLessThan(40);
  expect(source.cached()[0]?.isKeyframe).toBe(true);
  expect(source.video?.width).toBe(320);
  source.detach();
});

it('audio waits for the pictures of its time when their encoder is late', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'weir-conform-'));
  const ffmpeg = join(folder, 'ffmpeg');
  // The encoder of pictures stands still for two and a half seconds.
  const late = 'ffmpeg "$@" | { head -c 60000; sleep 2.5; cat; }';
  writeFileSync(ffmpeg, `#!/bin/sh\ncase "$*" in *libx264*) ${late};; *) exec ffmpeg "$@";; esac\n`);
  chmodSync(ffmpeg, 0o755);
  const source = conformed({ ffmpeg });
  source.conform({ video, audio });
  source.attach(watcher);
  const clip = record(8, 'plain', 'aac');
  harness.configs(clip);
  const beganAt = performance.now();
  const fromMs = clip.frames[0]?.dtsMs ?? 0;
  // The source has no pictures for more than half a second, while the encoder is late with earlier ones.
  const dueMs = ({ kind, dtsMs }: MediaFrame) =>
    kind === 'video' && dtsMs - fromMs > 4000 && dtsMs - fromMs < 5500 ? 5500 : dtsMs - fromMs;
  for (const frame of clip.frames.toSorted((one, other) => dueMs(one) - dueMs(other))) {
    await until(() => performance.now() - beganAt > dueMs(frame) / 1.5, 'its time');
    harness.publication.frame(frame);
  }
  await until(() => watcher.frames('video').length > 150, 'the video comes out');
  let videoMs = Number.NaN;
  const leads = watcher.frames().flatMap(({ kind, dtsMs }) => {
    if (kind === 'video') videoMs = dtsMs;
    return kind === 'audio' && !Number.isNaN(videoMs) ? [dtsMs - videoMs] : [];
  });
  expect(leads.length).toBeGreaterThan(100);
  expect(Math.max(...leads)).toBeLessThan(500);
  source.detach();
  rmSync(folder, { recursive: true });
});

it('only the track that differs is encoded', async () => {
  const clip = record(3, 'plain', 'aac');
  const source = conformed();
  source.conform({ video: clip.video, audio });
  source.attach(watcher);
  await harness.play(clip, watcher);
  await until(() => watcher.frames('audio').length > 60, 'it comes out');
  expect(configs().find(({ kind }) => kind === 'video')).toEqual(clip.video);
  expect(watcher.frames('video')[0]?.payload).toEqual(clip.frames.find(({ kind }) => kind === 'video')?.payload);
  source.detach();
});

it('an input passes as it is without ffmpeg, and when it has the form already', async () => {
  const clip = record(2, 'plain', 'aac');
  const source = conformed({ ffmpeg: '/nowhere/ffmpeg' });
  source.conform({ video, audio });
  source.attach(watcher);
  harness.configs(clip);
  for (const frame of clip.frames.slice(0, 60)) {
    harness.publication.frame(frame);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  await until(() => watcher.frames('audio').length > 0, 'it passes');
  expect([source.isConformed, configs().find(({ kind }) => kind === 'video')]).toEqual([false, clip.video]);
  source.conform({ video: clip.video, audio: clip.audio });
  expect(source.isConformed).toBe(false);
  source.detach();
});

it('rates that are not known do not make forms different, and codecs that nothing is encoded to have no arguments', () => {
  expect(isOfForm({ ...video, fps: 0 }, video)).toBe(true);
  expect(isOfForm({ ...video, fps: 29.97 }, video)).toBe(true);
  expect(isOfForm({ ...video, fps: 25 }, video)).toBe(false);
  expect(isOfForm({ ...video, codec: 'h265' }, video)).toBe(false);
  expect(isOfForm({ ...audio, channels: 2 }, audio)).toBe(false);
  expect(conformArgs({ ...video, codec: 'av1' })).toBeUndefined();
  expect(conformArgs({ ...audio, codec: 'opus' })).toBeUndefined();
});
