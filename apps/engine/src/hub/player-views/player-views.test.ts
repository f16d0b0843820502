import { join } from 'node:path';
import type { MediaFrame } from '@weir/media';
import { describe, expect, it } from 'vitest';
import { client, place } from '../frames.fixture.ts';
import { Stream } from '../stream.ts';
import { patient, quiet, steps, useHarnesses } from './player-view-harness.fixture.ts';
import { until, Watcher } from './player-views.fixture.ts';

const { clips, folder, openHarness } = useHarnesses();

describe('PlayerViews of a playable stream', () => {
  it('pass it on unchanged with its cache, and start no child', async () => {
    const cases = [
      ['classic', clips.plainAac],
      ['classic', clips.bFramesAac],
      ['classic', clips.mp3],
      ['webrtc', clips.plainOpus],
    ] as const;
    for (const [playerKind, clip] of cases) {
      const harness = openHarness();
      const view = harness.playerViews.of(harness.stream, playerKind);
      const [watcher, plain] = [new Watcher(), new Watcher()];
      view.attach(watcher);
      harness.stream.attach(plain);
      harness.configs(clip);
      for (const frame of clip.frames) harness.publication.frame(frame);
      expect(watcher.frames()).toEqual(plain.frames());
      expect(watcher.codecs()).toEqual(plain.codecs());
      expect(view.cached()).toBe(harness.stream.cached());
      expect(view.audio).toBe(harness.stream.audio);
      expect(view.state()).toMatchObject({ audio: 'direct', isRunning: false, reason: '' });
      expect(harness.playerViews.running).toBe(0);
      view.detach(watcher);
      harness.publication.frame({ ...(clip.frames.at(-1) as MediaFrame), dtsMs: 9000, ptsMs: 9000 });
      expect(watcher.frames()).toHaveLength(clip.frames.length);
    }
  });

  it('know the needed conversions before anybody watches, and start none until then', () => {
    const harness = openHarness();
    const view = harness.playerViews.of(harness.stream, 'webrtc');
    harness.configs(clips.bFramesAac);
    for (const frame of clips.bFramesAac.frames) harness.publication.frame(frame);
    expect(view.state()).toEqual({ audio: 'converted', video: 'converted', isRunning: false, reason: '' });
    expect(view.audio).toMatchObject({ codec: 'opus', channels: 2 });
    expect(view.video).toBeUndefined();
    expect(view.cached()).toEqual([]);
    expect(harness.playerViews.of(harness.stream, 'classic').state()).toMatchObject({
      audio: 'direct',
      video: 'direct',
    });
    expect(harness.playerViews.running).toBe(0);
  });
});

describe('PlayerViews of unplayable audio', () => {
  it('convert it to AAC for file players: announced at once, in order with the video, on the source clock', async () => {
    const harness = openHarness(patient);
    const view = harness.playerViews.of(harness.stream, 'classic');
    const watcher = new Watcher();
    view.attach(watcher);
    await harness.play(clips.plainOpus, watcher, view);
    await until(() => watcher.frames('audio').length > 85, 'sound of nearly all of it');
    expect(watcher.codecs()).toEqual(['h264', 'aac']);
    expect(watcher.seen.findIndex(({ type }) => type === 'frame')).toBe(2);
    const times = watcher.frames().map(({ dtsMs }) => dtsMs);
    expect(times).toEqual([...times].sort((a, b) => a - b));
    const sound = watcher.frames('audio');
    for (const step of steps(sound)) expect(step).toBeCloseTo(1024 / 48, 1);
    // The encoder begins one frame before the first, which the clock of a stream cannot tell.
    const firstMs = clips.plainOpus.frames.find(({ kind }) => kind === 'audio')?.dtsMs ?? 0;
    expect(sound[0]?.dtsMs).toBeCloseTo(firstMs - (clips.plainOpus.frames[0]?.dtsMs ?? 0), 1);
    const cached = view.cached();
    expect(cached[0]).toMatchObject({ kind: 'video', isKeyframe: true });
    expect(cached.filter(({ codec }) => codec === 'aac').length).toBeGreaterThan(30);
    expect(cached.some(({ codec }) => codec === 'opus')).toBe(false);
  });

  it.each([['plainAac'], ['mp3']] as const)(
    'convert it to Opus for browsers without delaying the video: %s',
    async (name) => {
      const harness = openHarness();
      const view = harness.playerViews.of(harness.stream, 'webrtc');
      const watcher = new Watcher();
      view.attach(watcher);
      harness.configs(clips[name]);
      const [first, ...sound] = clips[name].frames.filter(({ kind }) => kind === 'audio');
      if (first) harness.publication.frame(first);
      for (const frame of clips[name].frames) if (frame.kind === 'video') harness.publication.frame(frame);
      expect(watcher.frames('video')).toHaveLength(name === 'mp3' ? 0 : 50);
      await until(() => view.state().isRunning, 'conversion starts');
      await harness.send(sound, watcher);
      await until(() => watcher.frames('audio').length > (name === 'mp3' ? 80 : 180), 'sound of nearly all of it');
      for (const step of steps(watcher.frames('audio'))) expect(step).toBeCloseTo(10, 1);
      expect(watcher.frames('audio').every(({ codec }) => codec === 'opus')).toBe(true);
    },
  );

  it('convert it to stereo, and give later viewers the cache', async () => {
    const harness = openHarness();
    const view = harness.playerViews.of(harness.stream, 'classic');
    const watcher = new Watcher();
    view.attach(watcher);
    await harness.play(clips.opusMono, watcher, view);
    await until(() => view.cached().length > 20, 'something to begin with');
    const late = new Watcher();
    view.attach(late);
    expect(late.seen).toMatchObject([{ type: 'config', config: { codec: 'aac', channels: 2, sampleRate: 48_000 } }]);
    expect(harness.playerViews.running).toBe(1);
  });
});

describe('PlayerViews of publisher metadata', () => {
  it('correct the audio fields for players that trust them, and remove them when there is no audio', async () => {
    const said = { audiocodecid: 'Opus', audiosamplerate: 24_000, stereo: false, encoder: 'x' };
    const harness = openHarness();
    harness.configs(clips.plainOpus);
    harness.publication.metadata(said);
    const aac = { audiocodecid: 10, audiosamplerate: 48_000, audiosamplesize: 16, stereo: true, encoder: 'x' };
    expect(harness.playerViews.of(harness.stream, 'classic').metadata).toEqual(aac);
    expect(harness.playerViews.of(harness.stream, 'webrtc').metadata).toBe(said);

    const silent = openHarness({ ffmpeg: join(folder, 'nowhere'), log: quiet() });
    silent.configs(clips.plainOpus);
    silent.publication.metadata(said);
    const view = silent.playerViews.of(silent.stream, 'classic');
    view.attach(new Watcher());
    await until(() => view.state().audio === 'unavailable', 'no ffmpeg');
    expect(view.metadata).toEqual({ encoder: 'x' });
  });
});

describe('PlayerViews of video with B-frames', () => {
  it('encode it without B-frames from the last keyframe on, with the same timestamps, however uneven', async () => {
    const harness = openHarness();
    const view = harness.playerViews.of(harness.stream, 'webrtc');
    const frames = clips.bFramesAac.frames.map((frame, index) => {
      const offMs = frame.kind === 'video' ? (index * 7) % 11 : 0;
      return { ...frame, dtsMs: frame.dtsMs + offMs, ptsMs: frame.ptsMs + offMs };
    });
    harness.configs(clips.bFramesAac);
    for (const frame of frames.slice(0, 100)) harness.publication.frame(frame);
    const watcher = new Watcher();
    view.attach(watcher);
    await until(() => view.state().isRunning, 'conversion starts');
    for (const frame of frames.slice(100)) harness.publication.frame(frame);
    await until(() => watcher.frames('video').length > 40, 'pictures');
    const config = watcher.seen.find((item) => item.type === 'config' && item.config.kind === 'video');
    expect(config).toMatchObject({ config: { profile: 'Constrained Baseline', width: 320, height: 180 } });
    const pictures = watcher.frames('video');
    expect(pictures[0]?.isKeyframe).toBe(true);
    expect(pictures.every(({ ptsMs, dtsMs }) => ptsMs === dtsMs)).toBe(true);
    expect(steps(pictures).every((step) => step > 0)).toBe(true);
    // The stream's own clock begins with the first frame sent.
    const shown = frames.filter(({ kind }) => kind === 'video').map(({ ptsMs }) => ptsMs - (frames[0]?.dtsMs ?? 0));
    for (const { ptsMs } of pictures) expect(shown.some((ms) => Math.abs(ms - ptsMs) < 0.1)).toBe(true);
    const cached = view.cached();
    expect(cached.find(({ kind }) => kind === 'video')?.isKeyframe).toBe(true);
    expect(cached.map(({ dtsMs }) => dtsMs)).toEqual(cached.map(({ dtsMs }) => dtsMs).sort((a, b) => a - b));
  });

  it('do not show frames out of order to viewers who watched from the beginning', async () => {
    const harness = openHarness();
    const view = harness.playerViews.of(harness.stream, 'webrtc');
    const watcher = new Watcher();
    view.attach(watcher);
    harness.configs(clips.bFramesAac);
    for (const frame of clips.bFramesAac.frames.slice(0, 8)) harness.publication.frame(frame);
    // New viewers must not take the source's config for theirs.
    expect(view.video).toBeUndefined();
    await until(() => view.state().isRunning, 'conversion starts');
    await harness.send(clips.bFramesAac.frames.slice(8), watcher);
    await until(() => watcher.frames('video').length > 60, 'pictures');
    expect(view.video).toMatchObject({ profile: 'Constrained Baseline' });
    expect(steps(watcher.frames('video')).every((step) => step > 0)).toBe(true);
    expect(watcher.frames('video').every(({ ptsMs, dtsMs }) => ptsMs === dtsMs)).toBe(true);
  });
});

describe('PlayerViews of many streams', () => {
  it('F19: convert video up to a limit, and the next stream when another ends', async () => {
    const harness = openHarness({ limits: { mostVideos: 1, lingerMs: 0, crowdedRetryMs: 50 } });
    const other = new Stream({ key: 'live/two', place, returnMs: 60_000, onOver: () => undefined });
    const publication = other.publish(client());
    const { video, frames } = clips.bFramesAac;
    if (video) harness.publication.config(video);
    if (video) publication.config(video);
    for (const frame of frames) if (frame.kind === 'video') harness.publication.frame(frame);
    for (const frame of frames) if (frame.kind === 'video') publication.frame(frame);
    const [first, second] = [new Watcher(), new Watcher()];
    const [one, two] = [harness.playerViews.of(harness.stream, 'webrtc'), harness.playerViews.of(other, 'webrtc')];
    one.attach(first);
    await until(() => one.state().isRunning, 'the first is converted');
    two.attach(second);
    await until(() => two.state().video === 'unavailable', 'the second is not');
    expect(two.state().reason).toContain('too many');
    one.detach(first);
    await until(() => second.frames('video').length > 10, 'the second is converted');
    expect(two.state()).toMatchObject({ video: 'converted', reason: '' });
    other.close();
  });
});
