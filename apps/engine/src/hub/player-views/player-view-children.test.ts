import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { MediaFrame } from '@weir/media';
import { describe, expect, it } from 'vitest';
import { client } from '../frames.fixture.ts';
import { patient, quiet, shifted, steps, useHarnesses } from './player-view-harness.fixture.ts';
import { childrenNamed, isAlive, until, Watcher } from './player-views.fixture.ts';

const { clips, folder, openHarness, program } = useHarnesses();

/** A stream whose sound is being converted. */
async function converting() {
  const harness = openHarness();
  const view = harness.playerViews.of(harness.stream, 'classic');
  const watcher = new Watcher();
  view.attach(watcher);
  harness.patienceMs = 100;
  const playing = harness.play(clips.plainOpus, watcher, view);
  await until(() => watcher.frames('audio').length > 10, 'sound');
  return { harness, view, watcher, playing };
}

describe('the conversion child', () => {
  it('F07: restarts soon after it is killed, and viewers see only a gap', async () => {
    const { harness, watcher, playing } = await converting();
    const [pid = 0] = childrenNamed('ffmpeg');
    process.kill(pid, 'SIGKILL');
    await until(() => !isAlive(pid), 'dead');
    const killedAt = performance.now();
    await until(() => childrenNamed('ffmpeg').length === 1, 'another one');
    // Started again after 200 ms; the rest is the machine's.
    expect(performance.now() - killedAt).toBeLessThan(15_000);
    await playing;
    const before = watcher.frames('audio').length;
    await harness.send(shifted(clips.plainOpus.frames, 2100), watcher);
    await until(() => watcher.frames('audio').length > before + 5, 'sound again');
    await until(() => watcher.frames('video').length === 100, 'all pictures');
    expect(steps(watcher.frames('audio')).every((step) => step > 0)).toBe(true);
  });

  it('is restarted when it hangs, and video does not wait for it', async () => {
    const starts = join(folder, 'starts');
    const ffmpeg = program('hanging', `echo started >> ${starts}; exec cat > /dev/null`);
    const harness = openHarness({ ffmpeg, limits: { stallMs: 100, holdMs: 100, holdAtStartMs: 100 } });
    const view = harness.playerViews.of(harness.stream, 'classic');
    const watcher = new Watcher();
    view.attach(watcher);
    harness.patienceMs = 0;
    harness.configs(clips.plainOpus);
    let round = 0;
    const hasStartedAgain = () => existsSync(starts) && readFileSync(starts, 'utf8').split('\n').length > 2;
    while (round < 500 && !hasStartedAgain()) {
      await harness.send(shifted(clips.plainOpus.frames, round++ * 2000), watcher);
    }
    expect(hasStartedAgain()).toBe(true);
    await until(() => watcher.frames('video').length === round * 50, 'all pictures');
    expect(watcher.frames('audio')).toEqual([]);
  });

  it('is reported as failing with its own error text when it fails repeatedly', async () => {
    const ffmpeg = program('failing', 'echo "Unknown encoder aac" >&2; exit 1');
    const harness = openHarness({ ffmpeg, log: quiet() });
    const view = harness.playerViews.of(harness.stream, 'classic');
    view.attach(new Watcher());
    harness.configs(clips.plainOpus);
    await until(() => view.state().audio === 'unavailable', 'given up');
    expect(view.state().reason).toBe('ffmpeg failed: Unknown encoder aac');
    expect(view.audio).toBeUndefined();
  });

  it('is reported once when it is not installed, costs only the audio, and is used once it is installed', async () => {
    const lines: string[] = [];
    const name = join(folder, 'later');
    const harness = openHarness({
      ffmpeg: name,
      log: quiet(lines),
      limits: { missingRetryMs: 50, holdAtStartMs: 100 },
    });
    harness.patienceMs = 20;
    const view = harness.playerViews.of(harness.stream, 'classic');
    const watcher = new Watcher();
    view.attach(watcher);
    await harness.play(clips.plainOpus, watcher);
    await until(() => watcher.frames('video').length === 50, 'pictures');
    expect(view.state()).toMatchObject({
      audio: 'unavailable',
      video: 'direct',
      reason: 'ffmpeg is not installed',
    });
    expect(view.audio).toBeUndefined();
    expect(watcher.frames('audio')).toEqual([]);
    expect(lines.filter((line) => line.includes('apt-get install ffmpeg'))).toHaveLength(1);
    const late = new Watcher();
    view.attach(late);
    expect(late.codecs()).toEqual(['h264']);
    program('later', 'exec ffmpeg "$@"');
    for (let round = 1; round < 50 && watcher.frames('audio').length < 10; round++) {
      await harness.send(shifted(clips.plainOpus.frames, round * 2100), watcher);
    }
    expect(watcher.frames('audio').length).toBeGreaterThanOrEqual(10);
    expect(view.state()).toMatchObject({ audio: 'converted', reason: '' });
    expect(late.codecs()).toEqual(['h264', 'aac']);
  });

  it('stops after the last viewer left, but not for a viewer who returns', async () => {
    const harness = openHarness({ limits: { lingerMs: 200 } });
    const view = harness.playerViews.of(harness.stream, 'webrtc');
    const watcher = new Watcher();
    harness.configs(clips.plainAac);
    view.attach(watcher);
    // A child has the name of its parent until it has become its program.
    await until(() => childrenNamed('ffmpeg').length === 1, 'running');
    const [pid = 0] = childrenNamed('ffmpeg');
    view.detach(watcher);
    view.attach(watcher);
    await harness.play(clips.plainAac, watcher, view);
    expect(isAlive(pid)).toBe(true);
    expect(watcher.frames('audio').length).toBeGreaterThan(50);
    view.detach(watcher);
    await until(() => harness.playerViews.running === 0 && !isAlive(pid), 'stopped');
    expect(view.state()).toMatchObject({ audio: 'converted', isRunning: false });
  });

  it('leaves nothing behind after fifty starts and stops', async () => {
    const harness = openHarness({ limits: { lingerMs: 0 } });
    const view = harness.playerViews.of(harness.stream, 'webrtc');
    harness.configs(clips.plainAac);
    for (let n = 0; n < 50; n++) {
      const watcher = new Watcher();
      view.attach(watcher);
      if (n % 2 === 0) await until(() => harness.playerViews.running > 0, 'running');
      view.detach(watcher);
      await until(() => !view.state().isRunning, 'let go');
    }
    await until(() => harness.playerViews.running === 0, 'all gone');
    expect(childrenNamed('ffmpeg')).toEqual([]);
  });

  it('ends with its stream, and viewers are notified', async () => {
    const { harness, view, watcher, playing } = await converting();
    harness.patienceMs = 0;
    harness.stream.close();
    expect(watcher.seen.at(-1)?.type).toBe('close');
    const count = watcher.seen.length;
    await playing;
    await harness.playerViews.close();
    expect(watcher.seen).toHaveLength(count);
    const late = new Watcher();
    view.attach(late);
    expect(late.seen).toMatchObject([{ type: 'close' }]);
  });
});

describe('PlayerViews with a returning publisher', () => {
  it('F02: convert another codec from then on, after a discontinuity', async () => {
    const harness = openHarness(patient);
    const view = harness.playerViews.of(harness.stream, 'classic');
    const watcher = new Watcher();
    view.attach(watcher);
    await harness.play(clips.plainAac, watcher);
    harness.publication.end();
    harness.publication = harness.stream.publish(client());
    await harness.play(clips.plainOpus, watcher, view);
    await until(() => (watcher.frames('audio').at(-1)?.dtsMs ?? 0) > 3800, 'sound of both');
    expect(watcher.codecs()).toEqual(['h264', 'aac', 'aac']);
    const times = watcher.frames().map(({ dtsMs }) => dtsMs);
    expect(times).toEqual([...times].sort((a, b) => a - b));
    expect(watcher.frames('audio').every(({ codec }) => codec === 'aac')).toBe(true);
    const seam = watcher.seen.findIndex(({ type }) => type === 'seam');
    const lastBefore = watcher.seen.slice(0, seam).findLast(({ type }) => type === 'frame');
    expect(lastBefore).toMatchObject({ frame: { codec: expect.stringMatching('h264|aac') } });
  });

  it('drop the queued audio when the publisher leaves', async () => {
    const harness = openHarness(patient);
    const view = harness.playerViews.of(harness.stream, 'classic');
    const watcher = new Watcher();
    view.attach(watcher);
    await harness.play(clips.plainOpus, watcher, view);
    const spanMs = (frames: readonly MediaFrame[]) => (frames.at(-1)?.dtsMs ?? 0) - (frames[0]?.dtsMs ?? 0);
    const sentMs = spanMs(clips.plainOpus.frames.filter(({ kind }) => kind === 'audio'));
    expect(view.isDraining).toBe(false);
    harness.publication.end();
    expect(view.isDraining).toBe(true);
    await until(() => !view.isDraining, 'all of it is out');
    expect(spanMs(watcher.frames('audio'))).toBeGreaterThan(sentMs - 25);
    expect(watcher.frames('video')).toHaveLength(50);
  });

  it('continue with the same codec in a child that is ready', async () => {
    const harness = openHarness(patient);
    const view = harness.playerViews.of(harness.stream, 'classic');
    const watcher = new Watcher();
    view.attach(watcher);
    await harness.play(clips.plainOpus, watcher, view);
    harness.publication.end();
    harness.publication = harness.stream.publish(client());
    await harness.play(clips.plainOpus, watcher, view);
    await until(() => (watcher.frames('audio').at(-1)?.dtsMs ?? 0) > 3800, 'sound of both');
    expect(childrenNamed('ffmpeg')).toHaveLength(1);
    expect(watcher.seen.filter(({ type }) => type === 'seam')).toHaveLength(1);
    expect(steps(watcher.frames('audio')).every((step) => step > 0)).toBe(true);
  });
});
