import { describe, expect, it, onTestFinished } from 'vitest';
import { Child } from '../child/child.ts';
import { ManagedProcess, type ManagedProcessOptions } from './managed-process.ts';

const backOff = { firstMs: 20, mostMs: 50, healthyMs: 60_000 };

/** Starts Node with the given code; the process is ready when it prints something. */
function managed(code: string, options: Partial<ManagedProcessOptions<string>> = {}): ManagedProcess<string> {
  const process = new ManagedProcess<string>({
    backOff,
    start: (run) =>
      new Child({
        command: globalThis.process.execPath,
        args: ['-e', code],
        softStop: 'signal',
        onOutput: (chunk) => run.ready(chunk.toString().trim()),
      }),
    ...options,
  });
  onTestFinished(() => process.close());
  return process;
}

const serving = "console.log('ready'); setInterval(() => undefined, 1000);";

describe('a managed process', () => {
  it('is started once for all callers, and ended in order', async () => {
    const process = managed(serving);
    expect(process.phase).toBe('idle');
    expect(await Promise.all([process.start(), process.start()])).toEqual(['ready', 'ready']);
    expect(process.state).toMatchObject({ phase: 'running', starts: 1, failures: 0, lastExit: undefined });
    await process.end('not needed');
    expect(process.state).toMatchObject({
      phase: 'idle',
      pid: undefined,
      lastExit: { wanted: true, signal: 'SIGTERM', reason: 'not needed' },
      lastFailure: undefined,
    });
    expect(await process.start()).toBe('ready');
  });

  it('is started again after a delay when it was killed, with a record of the exit', async () => {
    const exits: unknown[] = [];
    const process = managed(serving, {
      onExit: (exit, facts) => exits.push({ ...exit, ...facts }),
      onDue: () => void process.start(),
    });
    await process.start();
    globalThis.process.kill(process.state.pid ?? 0, 'SIGKILL');
    await expect.poll(() => process.state).toMatchObject({ phase: 'running', starts: 2, failures: 1 });
    expect(exits).toMatchObject([{ wanted: false, signal: 'SIGKILL', reason: 'ended by SIGKILL', wasReady: true }]);
    expect(process.recentFailures(60_000)).toHaveLength(1);
  });

  it('makes callers wait for the delay where nobody restarts it', async () => {
    const process = managed('process.exit(3)', { backOff: { ...backOff, firstMs: 300, mostMs: 300 } });
    await expect(process.start()).rejects.toThrow('ended with code 3');
    expect(process.phase).toBe('backing-off');
    const before = performance.now();
    await expect(process.start()).rejects.toThrow('ended with code 3');
    expect(performance.now() - before).toBeGreaterThan(200);
    expect(process.state).toMatchObject({ starts: 2, failures: 2 });
  });

  it('is killed when it is not ready in time', async () => {
    const process = managed('setInterval(() => undefined, 1000)', {
      ready: { withinMs: 200, reason: () => 'waited for nothing' },
    });
    await expect(process.start()).rejects.toThrow('waited for nothing');
    expect(process.state.lastFailure).toMatchObject({ wanted: false, reason: 'waited for nothing' });
  });

  it('is ended when nobody uses it, which is no failure', async () => {
    let isUsed = true;
    const process = managed(serving, { idle: { afterMs: 100, isUsed: () => isUsed }, tickMs: 20 });
    await process.start();
    isUsed = false;
    await expect.poll(() => process.phase).toBe('idle');
    expect(process.state).toMatchObject({ failures: 0, lastExit: { wanted: true, reason: 'idle' } });
  });

  it.each([
    [true, 1],
    [false, 0],
  ])('is ended above its memory limit (as a failure: %s)', async (isFailure, failures) => {
    const limits = { mostBytes: 1000, idleBytes: 1000 };
    let bytes = 0;
    const process = managed(serving, {
      memory: { isFailure, limits: async () => limits, measure: () => bytes },
      tickMs: 20,
    });
    await process.start();
    bytes = 2000;
    await process.gone;
    expect(process.state).toMatchObject({
      failures,
      lastExit: { wanted: !isFailure, reason: 'used too much memory' },
    });
  });

  it('is not started while its end was requested during the preparation', async () => {
    const prepared = Promise.withResolvers<void>();
    let spawned = 0;
    const process = managed('', {
      start: async ({ signal }) => {
        await prepared.promise;
        signal.throwIfAborted();
        spawned++;
        return new Child({ command: 'true', args: [] });
      },
    });
    const started = process.start();
    await process.end('changed');
    await expect(started).rejects.toThrow('changed');
    prepared.resolve();
    await new Promise((resolve) => setImmediate(resolve));
    expect([spawned, process.phase]).toEqual([0, 'idle']);
  });

  it('does not start any more once it is closed', async () => {
    const process = managed(serving);
    await process.start();
    await process.close();
    await expect(process.start()).rejects.toThrow('stopped');
  });
});
