import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { afterEach, describe, expect, it } from 'vitest';
import { systemClock } from '../core/clock.ts';
import { CpuUsers } from './cpu-users.ts';

const children: ChildProcess[] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});

/** A process that does nothing but use a core, started as the given program. */
function busy(name: string): number {
  const child = spawn(process.execPath, ['-e', 'for (;;) {}', name], { stdio: 'ignore' });
  children.push(child);
  return child.pid ?? 0;
}

function users({ engine = 0, ai = 0, jobs = new Map<number, string>() } = {}): CpuUsers {
  return new CpuUsers({ clock: systemClock, pids: () => ({ launcher: process.pid, engine, ai }), jobs: () => jobs });
}

const largest = async (looked: CpuUsers) => (await looked.look())?.ours[0];

describe.runIf(process.platform === 'linux')('users of the CPU', () => {
  it('names the feature whose job uses the most CPU, with its share of all cores', async () => {
    const job = busy('ffmpeg');
    const looked = users({ jobs: new Map([[job, 'transcode']]) });
    const use = await looked.look();
    expect(use?.ours[0]?.user).toBe('transcode');
    expect(use?.ours[0]?.share).toBeGreaterThan(0);
    expect(use?.all).toBeGreaterThanOrEqual(use?.ours[0]?.share ?? 1);
    expect(use?.all).toBeLessThanOrEqual(1);
  });

  it('separates built-in AI, and short runs of tools, from jobs', async () => {
    expect(await largest(users({ ai: busy('ai') }))).toMatchObject({ user: 'ai' });
    for (const child of children.splice(0)) child.kill('SIGKILL');
    busy('ffmpeg');
    expect(await largest(users())).toMatchObject({ user: 'tools' });
  });

  it('separates the workers of the engine from conversions, by their entry files', async () => {
    const engine = spawn(
      process.execPath,
      [
        '-e',
        `const { spawn } = require('node:child_process');
         const child = spawn(process.execPath, ['-e', 'for (;;) {}', process.argv[1]], { stdio: 'ignore' });
         process.on('SIGTERM', () => { child.kill('SIGKILL'); process.exit(); });
         console.log(child.pid);`,
        'rtc-worker.cjs',
      ],
      { stdio: ['ignore', 'pipe', 'ignore'] },
    );
    try {
      await new Promise((resolve) => engine.stdout.once('data', resolve));
      expect(await largest(users({ engine: engine.pid ?? 0 }))).toMatchObject({ user: 'rtc' });
    } finally {
      engine.kill('SIGTERM');
    }
  });

  it('counts a program that is not ours as load of the machine only', async () => {
    // Started by a program that has ended, so nobody of ours is its parent.
    const starter = spawn(
      process.execPath,
      [
        '-e',
        `const { spawn } = require('node:child_process');
         const options = { stdio: 'ignore', detached: true };
         const children = [0, 1].map(() => spawn(process.execPath, ['-e', 'for (;;) {}'], options));
         console.log(children.map(({ pid }) => pid).join(' '));
         process.exit();`,
      ],
      { stdio: ['ignore', 'pipe', 'ignore'] },
    );
    const [text] = await Promise.all([once(starter.stdout, 'data'), once(starter, 'exit')]);
    const pids = String(text).trim().split(' ').map(Number);
    try {
      const use = await users().look();
      const ours = (use?.ours ?? []).reduce((total, { share }) => total + share, 0);
      expect(use?.all).toBeGreaterThan(0.5 / availableParallelism());
      expect(ours).toBeLessThan((use?.all ?? 0) / 2);
    } finally {
      for (const pid of pids) process.kill(pid, 'SIGKILL');
    }
  });

  it('shares one measurement among callers within a second, and measures since the last one', async () => {
    const looked = users();
    const [one, other] = await Promise.all([looked.look(), looked.look()]);
    expect(one).toBe(other);
    expect(await looked.look()).toBe(one);
    busy('ffmpeg');
    await expect.poll(() => largest(looked)).toMatchObject({ user: 'tools' });
  });
});
