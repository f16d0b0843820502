import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openProgram } from './program-stage.fixture.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe('a program with an input that is late', () => {
  it('leaves no hole when it fails over to an input that is behind and still catches up', () => {
    const { program, run, encoder, viewer } = openProgram();
    const main = encoder('main');
    run(4000);
    // An encoder of ours that started late: three pictures in the time of one.
    const late = encoder('backup');
    run(1200, [main, late, late, late]);
    main.stop();
    expect(program.onAir).toBe('backup');
    run(800, [late, late, late]);
    run(3000, [late]);
    expect(viewer.holes('video')).toBeLessThanOrEqual(80);
    expect(viewer.holes('audio')).toBeLessThanOrEqual(45);
    expect([viewer.isRising('video'), viewer.isRising('audio')]).toEqual([true, true]);
  });

  it('goes on with a backup that is late at that moment, without a slate and without a hole', () => {
    const { program, run, encoder, viewer, said } = openProgram({ slate: undefined });
    const main = encoder('main');
    const backup = encoder('backup');
    run(6000);
    run(1200, [main]);
    main.stop();
    expect(program.onAir).toBe('backup');
    run(800, []);
    run(
      400,
      Array.from({ length: 6 }, () => backup),
    );
    run(2000, [backup]);
    expect(said).toEqual(['began']);
    expect(viewer.holes('video')).toBeLessThanOrEqual(80);
    expect(viewer.isRising('video')).toBe(true);
  });

  it('leaves no hole when it switches to an input that was behind a moment ago', () => {
    const { program, run, encoder, viewer } = openProgram();
    const main = encoder('main');
    const backup = encoder('backup');
    run(8000);
    run(3000, [main]);
    run(200, [main, ...Array.from({ length: 16 }, () => backup)]);
    run(1000);
    expect(program.switchTo('backup')).toBeUndefined();
    run(6000);
    expect(program.onAir).toBe('backup');
    expect(viewer.holes('video')).toBeLessThanOrEqual(80);
    expect(viewer.isRising('video')).toBe(true);
  });

  it('waits for the next keyframe when this one came too late to be shown with its audio', () => {
    const { program, run, encoder, viewer } = openProgram();
    const main = encoder('main');
    const backup = encoder('backup');
    run(5000);
    program.switchTo('backup');
    run(120, [main]);
    run(40, [main, backup, backup, backup, backup]);
    expect(program.onAir).toBe('main');
    run(1000);
    expect(program.onAir).toBe('backup');
    const steps = viewer.pictures().map(({ dtsMs }, index, all) => dtsMs - (all[index - 1]?.dtsMs ?? dtsMs - 40));
    // Old and new input each have a picture at the time of the cut.
    expect(steps.filter((ms) => ms < 10)).toHaveLength(1);
  });

  it('keeps its clock when the line of its only input stood still and then brings at once what it held', () => {
    const { program, run, encoder, viewer } = openProgram();
    const main = encoder('main');
    run(5000);
    const lead = () => (viewer.pictures().at(-1)?.dtsMs ?? 0) - performance.now();
    const before = lead();
    run(5000, []);
    expect(program.onAir).toBe('slate');
    // What it held, at three times the speed.
    run(2500, [main, main, main]);
    run(3000);
    expect(program.onAir).toBe('main');
    expect(Math.abs(lead() - before)).toBeLessThanOrEqual(80);
    expect(viewer.holes('video')).toBeLessThanOrEqual(80);
    expect(viewer.holes('audio')).toBeLessThanOrEqual(45);
    expect([viewer.isRising('video'), viewer.isRising('audio')]).toEqual([true, true]);
  });

  it('waits with a switch by hand while the input catches up, for four seconds at most', () => {
    const { program, run, encoder, viewer } = openProgram();
    const main = encoder('main');
    const backup = encoder('backup');
    run(6000);
    const lead = () => (viewer.pictures().at(-1)?.dtsMs ?? 0) - performance.now();
    const before = lead();
    run(900, [main]);
    run(400, [main, backup, backup]);
    expect(program.switchTo('backup')).toBeUndefined();
    run(480, [main, backup, backup]);
    run(3200);
    expect(program.onAir).toBe('backup');
    expect(Math.abs(lead() - before)).toBeLessThanOrEqual(80);
    expect(viewer.holes('video')).toBeLessThanOrEqual(80);
  });

  it('takes an input that catches up for healthy only once it has', () => {
    const { program, run, encoder } = openProgram({ returnMs: 0, leastMs: 0 });
    const main = encoder('main');
    const backup = encoder('backup');
    run(4000);
    main.stop();
    run(2000, [backup]);
    main.start();
    run(2000, [backup, main, main]);
    expect(program.onAir).toBe('backup');
    run(4000);
    expect(program.onAir).toBe('main');
  });
});
