import { execFile, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { getPriority } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterEach, describe, expect, it } from 'vitest';
import { Child, type ChildEnd } from './child.ts';

let children: Child[] = [];
afterEach(async () => {
  for (const child of children) child.kill();
  await Promise.all(children.map(({ ended }) => ended));
  children = [];
});

function start(command: string, args: readonly string[], more: Partial<ConstructorParameters<typeof Child>[0]> = {}) {
  const child = new Child({ command, args, ...more });
  children.push(child);
  return child;
}

/** A shell, because its behaviour can be written down in a line; the product never uses one. */
const script = (text: string, more = {}) => start('sh', ['-c', text], more);
const isAlive = (pid: number) => existsSync(`/proc/${pid}`) && !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));

async function until(check: () => boolean, what: string): Promise<void> {
  for (const began = performance.now(); !check(); await sleep(10)) {
    if (performance.now() - began > 10_000) throw new Error(`never: ${what}`);
  }
}

describe('Child', () => {
  it('reports missing descriptors by its end, and does not throw', async () => {
    const program = `
      import { openSync } from 'node:fs';
      import { Child } from ${JSON.stringify(join(import.meta.dirname, 'child.ts'))};
      const ends = [];
      try { for (;;) openSync('/dev/null'); } catch {}
      const child = new Child({ command: 'true', args: [], onEnd: (end) => ends.push(end.reason) });
      child.write(Buffer.from('x'));
      await child.ended;
      await new Promise((resolve) => setTimeout(resolve, 50));
      process.stdout.write(JSON.stringify(ends));`;
    const args = ['--nofile=60', process.execPath, '--input-type=module', '-e', program];
    const { stdout } = await promisify(execFile)('prlimit', args);
    expect(JSON.parse(stdout)).toEqual(['true could not be started: EMFILE']);
  });

  it('receives input and returns output until it is told to end', async () => {
    const out: Buffer[] = [];
    const child = start('cat', [], { onOutput: (chunk: Buffer) => out.push(chunk) });
    child.write(Buffer.from('some '));
    child.write(Buffer.from('bytes'));
    const end = await child.stop();
    expect(Buffer.concat(out).toString()).toBe('some bytes');
    expect(end).toMatchObject({ code: 0, isWanted: true, isMissing: false, reason: 'stopped' });
    child.write(Buffer.from('late'));
    expect(await child.stop()).toBe(end);
  });

  it('reports a missing program, and does not throw', async () => {
    const ends: ChildEnd[] = [];
    const child = start('no-such-program', ['x'], { onEnd: (end: ChildEnd) => ends.push(end) });
    child.write(Buffer.from('for nobody'));
    expect(await child.ended).toMatchObject({ isMissing: true, reason: 'no-such-program is not installed' });
    expect(ends).toHaveLength(1);
  });

  it('gives the last output of a failed program as the reason, without secrets', async () => {
    const child = script('echo first >&2; echo "rtmp://host/live/hush?secret=abcd refused" >&2; exit 3', {
      secrets: ['hush', ''],
    });
    const end = await child.ended;
    expect(end).toMatchObject({ code: 3, isWanted: false });
    expect(end.reason).toBe('rtmp://host/live/[hidden]?secret=[hidden] refused');
    expect(child.said()).toHaveLength(2);
  });

  it('keeps a bounded part of the output of a program that floods', async () => {
    const child = script('yes "a long complaint" | head -c 3000000 >&2; head -c 100000 /dev/zero | tr "\\0" x >&2');
    await child.ended;
    expect(child.said().length).toBeLessThanOrEqual(51);
    expect(child.said().join('').length).toBeLessThan(52 * 500);
  });

  it('kills a program that ignores the request to end', async () => {
    let said = '';
    const onOutput = (chunk: Buffer) => {
      said += chunk;
    };
    const child = script('trap "" TERM; echo ready; while :; do sleep 0.2; done', {
      softStop: 'signal',
      graceMs: 100,
      onOutput,
    });
    await until(() => said === 'ready\n', 'deaf');
    expect(await child.stop()).toMatchObject({ signal: 'SIGKILL', isWanted: true });
  });

  it('ends with all its output though a grandchild holds the output open', async () => {
    let said = '';
    const onOutput = (chunk: Buffer) => {
      said += chunk;
    };
    const child = script('sleep 300 & echo $!; exit 4', { graceMs: 100, onOutput });
    expect(await child.ended).toMatchObject({ code: 4, isWanted: false });
    process.kill(Number(said));
  });

  it('reports how far a program that does not read is behind, and survives writing to one that has ended', async () => {
    const child = start('sleep', ['60']);
    for (let n = 0; n < 20; n++) child.write(Buffer.alloc(65_536));
    expect(child.queuedBytes).toBeGreaterThan(1_000_000);
    child.kill();
    await child.ended;
    child.write(Buffer.alloc(10));
  });

  it('F07: does not outlive a parent that is killed, even when it ignores its input', async () => {
    const module = new URL('./child.ts', import.meta.url).pathname;
    const text = `import { Child } from ${JSON.stringify(module)};
      const deaf = new Child({ command: 'sleep', args: ['300'] });
      const reader = new Child({ command: 'cat', args: [] });
      console.log(deaf.pid, reader.pid); setInterval(() => {}, 1000);`;
    const parent = spawn(process.execPath, ['--input-type=module', '-e', text], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let said = '';
    parent.stdout.on('data', (chunk) => (said += chunk));
    await until(() => said.includes('\n'), 'children started');
    const pids = said.trim().split(' ').map(Number);
    await until(() => pids.every((pid) => readFileSync(`/proc/${pid}/comm`, 'utf8').match(/sleep|cat/)), 'running');
    parent.kill('SIGKILL');
    await until(() => pids.every((pid) => !isAlive(pid)), 'children gone');
  });

  it('F19: runs with low priority on request', async () => {
    const child = start('sleep', ['60'], { niceness: 7 });
    expect(getPriority(child.pid)).toBe(7);
  });

  it('leaves nothing behind after many starts and stops', async () => {
    for (let n = 0; n < 50; n++) await start('cat', []).stop();
    expect(children.every(({ pid }) => pid !== undefined && !isAlive(pid))).toBe(true);
  });
});
