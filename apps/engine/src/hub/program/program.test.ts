import { silentAac } from '@weir/media';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { audioConfig, place, videoConfig } from '../frames.fixture.ts';
import { inputPlace } from './input-place.ts';
import { openProgram } from './program-stage.fixture.ts';
import { builtInSlates } from './slate/built-in-slates.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe('a program', () => {
  it('publishes the first input that comes as one stream, and says so once', () => {
    const { program, run, encoder, said, viewer } = openProgram();
    run(500);
    expect([program.onAir, said]).toEqual(['', []]);
    encoder('backup');
    run(1000);
    expect([program.onAir, said]).toEqual(['backup', ['began']]);
    expect(viewer.pictures()).toHaveLength(25);
  });

  it('goes over to the hot backup within one turn when the connection of the main input closes', () => {
    const { program, run, encoder, viewer, switches } = openProgram();
    const main = encoder('main');
    const backup = encoder('backup');
    run(4000);
    main.stop();
    expect(program.onAir).toBe('backup');
    expect(switches.at(-1)).toMatchObject({ from: 'main', to: 'backup', reason: 'closed' });
    run(3000, [backup]);
    expect(viewer.isRising('video')).toBe(true);
    expect(viewer.isRising('audio')).toBe(true);
    expect(viewer.holes('video')).toBeLessThanOrEqual(80);
    expect(viewer.holes('audio')).toBeLessThanOrEqual(45);
    expect([viewer.seams, viewer.leaves]).toEqual([0, 0]);
  });

  it('notices a line that has fallen silent after a second, and leaves no hole in time', () => {
    const { program, run, encoder, viewer, switches } = openProgram();
    encoder('main');
    const backup = encoder('backup');
    run(4000);
    run(960, [backup]);
    expect(program.onAir).toBe('main');
    run(140, [backup]);
    expect(program.onAir).toBe('backup');
    expect(switches.at(-1)?.reason).toBe('silent');
    expect(switches.at(-1)?.gapMs).toBeLessThan(1100);
    run(2000, [backup]);
    expect(viewer.holes('video')).toBeLessThanOrEqual(80);
    expect(viewer.isRising('video')).toBe(true);
  });

  it('waits longer for an input with a time of its own', () => {
    const { program, run, encoder } = openProgram({ inputs: [{ id: 'main', failMs: 3000 }, { id: 'backup' }] });
    encoder('main');
    const backup = encoder('backup');
    run(4000);
    run(2900, [backup]);
    expect(program.onAir).toBe('main');
    run(200, [backup]);
    expect(program.onAir).toBe('backup');
  });

  it('returns to the main input at its keyframe once it was healthy, with no hole and nothing pressed', () => {
    const { program, run, encoder, viewer } = openProgram();
    const main = encoder('main');
    const backup = encoder('backup');
    run(4000);
    main.stop();
    run(12_000, [backup]);
    main.start();
    run(4900);
    expect(program.onAir).toBe('backup');
    run(3000);
    expect(program.onAir).toBe('main');
    expect(viewer.holes('video')).toBeLessThanOrEqual(80);
    expect([viewer.isRising('video'), viewer.isRising('audio')]).toEqual([true, true]);
  });

  it('shows the slate with silence when nothing is left, and the encoder again when it returns', () => {
    const { program, run, encoder, viewer, said } = openProgram();
    const main = encoder('main');
    run(4000);
    main.stop();
    expect(program.onAir).toBe('slate');
    const before = viewer.frames.length;
    run(10_000, []);
    const shown = viewer.frames.slice(before);
    expect(shown.filter(({ kind }) => kind === 'video').length).toBeGreaterThan(245);
    const silence = silentAac(2) as Buffer;
    expect(shown.filter(({ kind }) => kind === 'audio').every(({ payload }) => payload.equals(silence))).toBe(true);
    expect(viewer.configs).toBe(3);
    main.start();
    // A group of pictures.
    run(1040);
    expect(program.onAir).toBe('main');
    run(1000);
    expect(viewer.holes('video')).toBeLessThanOrEqual(80);
    expect(viewer.holes('audio')).toBeLessThanOrEqual(45);
    expect([viewer.seams, viewer.leaves, said]).toEqual([0, 0, ['began']]);
  });

  it('ends after the time of its slate, and begins again with the next publisher', () => {
    const { program, run, encoder, viewer, said } = openProgram({ slate: { afterMs: 2000, mostMs: 3000 } });
    const main = encoder('main');
    run(2000);
    main.stop();
    run(3100, []);
    expect([program.onAir, said, viewer.leaves]).toEqual(['', ['began', 'ended'], 1]);
    main.start();
    run(1000);
    expect([program.onAir, said]).toEqual(['main', ['began', 'ended', 'began']]);
  });

  it.each(['aac', 'mp3'] as const)('fills the audio that an input does not have with %s', (codec) => {
    const { program, run, encoder, viewer } = openProgram();
    const main = encoder('main', { audio: { ...audioConfig, codec, sampleRate: 48_000 } });
    const mute = encoder('backup', { hasAudio: false });
    run(3000);
    main.stop();
    const before = viewer.frames.length;
    run(3000, [mute]);
    expect(program.onAir).toBe('backup');
    const audio = viewer.frames.slice(before).filter(({ kind }) => kind === 'audio');
    expect(audio.length).toBeGreaterThan(115);
    expect(audio.every((frame) => frame.codec === codec)).toBe(true);
    expect(viewer.holes('audio')).toBeLessThanOrEqual(45);
  });

  it('fills the video that an input does not have with the slate', () => {
    const { program, run, encoder, viewer } = openProgram();
    const main = encoder('main');
    const radio = encoder('backup', { hasVideo: false });
    run(3000);
    main.stop();
    const before = viewer.frames.length;
    run(3000, [radio]);
    expect(program.onAir).toBe('backup');
    const pictures = viewer.frames.slice(before).filter(({ kind }) => kind === 'video');
    expect(pictures.length).toBeGreaterThan(70);
    const slate = new Set(builtInSlates()[0]?.pictures.map(({ payload }) => payload.toString('hex')));
    expect(pictures.every(({ payload }) => slate.has(payload.toString('hex')))).toBe(true);
    expect(viewer.holes('video')).toBeLessThanOrEqual(80);
    expect([viewer.isRising('video'), viewer.isRising('audio')]).toEqual([true, true]);
  });

  it('passes over an input of another codec, and says that it does not fit', () => {
    const { program, run, encoder } = openProgram();
    const main = encoder('main');
    const other = encoder('backup', { video: { ...videoConfig, codec: 'h265' } });
    run(3000);
    expect(program.facts().map(({ state, fit }) => [state, fit])).toEqual([
      ['good', 'same'],
      ['unfit', 'unfit'],
    ]);
    main.stop();
    run(200, [other]);
    expect(program.onAir).toBe('slate');
  });

  it('switches by hand at the next keyframe, stays there, and decides again when told to', () => {
    const { program, run, encoder, viewer } = openProgram();
    encoder('main');
    encoder('backup');
    run(11_000);
    expect(program.switchTo('backup')).toBeUndefined();
    expect(program.armed).toBe('backup');
    run(1500);
    expect([program.onAir, program.isHeld]).toEqual(['backup', true]);
    run(30_000);
    expect(program.onAir).toBe('backup');
    program.switchTo('');
    run(2000);
    expect(program.onAir).toBe('main');
    expect(viewer.holes('video')).toBeLessThanOrEqual(80);
  });

  it('refuses in words what cannot be switched to', () => {
    const { program, run, encoder } = openProgram({ slate: undefined });
    expect(program.switchTo('main')).toBe('the program is not on air');
    encoder('main');
    run(2000);
    expect(program.switchTo('backup')).toBe('this input has nothing to show now');
    expect(program.switchTo('other')).toBe('there is no such input');
    expect(program.switchTo('slate')).toBe('this program has no slate');
  });

  it('keeps audio and video together and its clock in place through a hundred switches', () => {
    const { program, run, encoder, viewer } = openProgram();
    encoder('main');
    encoder('backup');
    run(3000);
    const startedMs = performance.now();
    const lead = () => (viewer.pictures().at(-1)?.dtsMs ?? 0) - performance.now();
    const before = lead();
    for (let count = 0; count < 100; count++) {
      program.switchTo(program.onAir === 'main' ? 'backup' : 'main');
      run(1200);
    }
    expect(program.switches.length).toBeGreaterThanOrEqual(50);
    expect(performance.now() - startedMs).toBeGreaterThan(100_000);
    expect(Math.abs(lead() - before)).toBeLessThan(45);
    expect(viewer.isRising('video')).toBe(true);
    expect(viewer.holes('video')).toBeLessThanOrEqual(81);
    expect(viewer.holes('audio')).toBeLessThanOrEqual(45);
    expect(viewer.seams).toBe(0);
  });

  it('goes on in place when the publisher of the only input comes back on another connection', () => {
    const { program, run, encoder, viewer } = openProgram();
    const main = encoder('main');
    run(3000);
    main.stop();
    main.start();
    run(3000);
    expect(program.onAir).toBe('main');
    expect(viewer.isRising('video')).toBe(true);
    expect(viewer.leaves).toBe(0);
  });

  it('finds its input again after the stream of it was over', async () => {
    const { hub, program, run, encoder } = openProgram();
    const main = encoder('main');
    run(2000);
    main.stop();
    run(1000, []);
    await vi.advanceTimersByTimeAsync(16_000);
    expect(hub.find(inputPlace(place, 'main'))).toBeUndefined();
    main.start();
    run(3000);
    expect(program.onAir).toBe('main');
  });

  it('goes over when the input on air is removed, and ends when it is closed itself', () => {
    const { program, run, encoder, said } = openProgram();
    encoder('main');
    encoder('backup');
    run(3000);
    program.update({ ...program.settings, inputs: [{ id: 'backup' }] });
    expect(program.onAir).toBe('backup');
    program.close();
    expect(said).toEqual(['began', 'ended']);
  });

  it('says which inputs nobody waits for: those beside the one on air, until a switch', () => {
    const { program, run, encoder } = openProgram();
    const main = encoder('main');
    const backup = encoder('backup');
    run(3400);
    expect([main.isStandby, backup.isStandby]).toEqual([false, true]);
    program.switchTo('backup');
    run(40);
    expect([main.isStandby, backup.isStandby]).toEqual([false, false]);
    run(1500);
    expect([main.isStandby, backup.isStandby]).toEqual([true, false]);
    backup.stop();
    run(40, [main]);
    expect([program.onAir, main.isStandby]).toEqual(['main', false]);
    backup.start();
    run(40);
    expect(backup.isStandby).toBe(true);
  });

  it('passes over an input with a fault until it has none', () => {
    const { program, run, encoder, switches } = openProgram();
    encoder('main');
    encoder('backup');
    run(3000);
    expect(program.setFault('main', 'black')).toBe(true);
    run(100);
    expect([program.onAir, switches.at(-1)?.reason]).toEqual(['backup', 'black']);
    run(12_000);
    expect(program.onAir).toBe('backup');
    program.setFault('main', '');
    run(7000);
    expect(program.onAir).toBe('main');
    expect(program.setFault('other', 'black')).toBe(false);
  });

  it('cuts a rehearsed input off for a time', () => {
    const { program, run, encoder, switches } = openProgram();
    encoder('main');
    encoder('backup');
    run(3000);
    expect(program.rehearse('main', 10_000)).toBe(true);
    run(1200);
    expect(program.onAir).toBe('backup');
    run(20_000);
    expect(program.onAir).toBe('main');
    expect(switches.map(({ reason }) => reason)).toEqual(['start', 'silent', 'return']);
  });
});
