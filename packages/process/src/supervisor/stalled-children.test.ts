import { describe, expect, it } from 'vitest';
import { isRunning, scoped, script, working } from './supervisor.fixture.ts';

describe('Supervisor', () => {
  it('F24: does not treat a child as stalled after the whole machine was suspended', async () => {
    const { until, see } = scoped([script('t/a', working())]);
    const { pid = 0 } = await until('t/a', isRunning);
    process.kill(pid, 'SIGSTOP');
    // This process stands still as well, four times as long as a child may.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1600);
    process.kill(pid, 'SIGCONT');
    const { mediaMs = 0 } = see('t/a')?.progress ?? {};
    const seen = await until(
      't/a',
      ({ progress, failures }) => failures > 0 || (progress?.mediaMs ?? 0) > mediaMs + 500,
    );
    expect(seen).toMatchObject({ phase: 'running', failures: 0, starts: 1, pid });
  });

  describe('F08', () => {
    it('ends a child that never begins, and one that stops half way', async () => {
      const once = `printf 'out_time_us=5000\\nprogress=continue\\n'; exec sleep 300`;
      const { until } = scoped([script('t/never', 'exec sleep 300'), script('t/half', once)], { startMs: 500 });
      expect((await until('t/never', ({ failures }) => failures > 0)).failure?.cause).toBe('timed-out');
      expect((await until('t/half', ({ failures }) => failures > 0)).failure?.cause).toBe('stalled');
    });

    it('treats a child that exits successfully at once as failing', async () => {
      const { until } = scoped([script('t/a', 'exit 0')]);
      const seen = await until('t/a', ({ failures }) => failures >= 2);
      expect(seen.failure?.cause).toBe('input-ended');
    });

    it('keeps a bounded part of the output of a child that floods, and ends it when it makes no progress', async () => {
      const { until } = scoped([script('t/a', 'exec yes "a complaint that has no end" >&2')], { startMs: 500 });
      const seen = await until('t/a', ({ failures }) => failures > 0);
      expect(seen.failure?.cause).toBe('timed-out');
      expect(seen.lines.length).toBeLessThanOrEqual(100);
    });

    it('ends a child that exceeds its memory limit', async () => {
      const text = 'const held = []; setInterval(() => held.push(Buffer.alloc(4 << 20, 1)), 20)';
      const greedy = { key: 't/a', command: process.execPath, args: ['-e', text], memoryBytes: 150 * 2 ** 20 };
      const { until } = scoped([greedy], { startMs: 30_000 });
      const seen = await until('t/a', ({ failures }) => failures > 0);
      expect(seen.failure).toMatchObject({
        cause: 'out-of-memory',
        detail: 'exceeded the memory limit of 150 MB',
      });
    });

    it.each([
      ['too-fast', 1000],
      ['too-slow', 5],
    ])('ends a child that runs %s for long', async (cause, pace) => {
      // Patient with silence: on a busy machine a child may say nothing for a while, which is another cause.
      const { until } = scoped([script('t/a', working(pace))], { stallMs: 20_000 });
      expect((await until('t/a', ({ failures }) => failures > 0)).failure?.cause).toBe(cause);
    });

    it('reports a missing program', async () => {
      const { until } = scoped([{ key: 't/a', command: 'no-such-program', args: [] }]);
      expect((await until('t/a', ({ failures }) => failures > 0)).failure?.cause).toBe('program-missing');
    });
  });
});
