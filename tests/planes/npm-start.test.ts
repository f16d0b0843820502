import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { built, childrenOf, isAlive, until } from '../weir.fixture.ts';

const root = join(import.meta.dirname, '../..');
const script = 'node scripts/start.mjs';

/** Process tree, the given process first. */
function familyOf(pid: number): number[] {
  return [pid, ...childrenOf(pid).flatMap(familyOf)];
}

function argsOf(pid: number): string[] {
  return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
}

/** Starts Weir by that command and waits until it serves, and nothing but these processes runs: planes also try programs when they start. */
async function start(command: readonly [string, ...string[]], processes: number, more: Record<string, string> = {}) {
  const dataDir = mkdtempSync(join(tmpdir(), 'weir-npm-'));
  const names = ['MGMT_LISTEN', 'HTTPS_LISTEN', 'WEIR_RTMP_LISTEN', 'WEIR_SRT_LISTEN', 'WEIR_RTC_LISTEN'];
  const ports = Object.fromEntries(names.map((name) => [name, '127.0.0.1:0']));
  const [file, ...args] = command;
  const child: ChildProcess = spawn(file, args, {
    cwd: root,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...ports, WEIR_DATA: dataDir, ...more },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout?.on('data', (chunk) => (output += String(chunk)));
  const known = new Set<number>();
  onTestFinished(async () => {
    for (const pid of [...known].filter(isAlive)) process.kill(pid, 'SIGKILL');
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    rmSync(dataDir, { recursive: true, force: true });
  });
  await until(() => output.includes('"serving"'), 'serving', 120_000);
  let family: number[] = [];
  const isComplete = () => {
    family = familyOf(child.pid ?? 0);
    return family.length === processes;
  };
  await until(isComplete, `${processes} processes`);
  for (const pid of family) known.add(pid);
  const find = (isIt: (args: string[]) => boolean) => family.find((pid) => isIt(argsOf(pid))) ?? 0;
  return {
    family,
    output: () => output,
    pids: {
      npm: child.pid ?? 0,
      shell: find((args) => args.includes('-c')),
      launcher: find((args) => args.some((arg) => arg.endsWith('apps/weir/dist/main.cjs'))),
    },
  };
}

/** Within five seconds on a machine that has time; a test shares one. */
async function expectEnd(family: readonly number[], output: () => string) {
  const beganMs = performance.now();
  await until(() => !family.some(isAlive), 'nothing of it runs', 20_000);
  expect(performance.now() - beganMs).toBeLessThan(8000);
  // The last lines may still be in the pipe.
  await until(() => output().includes('"stopped"'), 'its last line');
}

it.each([
  ['SIGTERM', 'npm'],
  ['SIGINT', 'npm'],
  ['SIGHUP', 'npm'],
  ['SIGKILL', 'npm'],
  ['SIGHUP', 'launcher'],
] as const)('after npm start, %s to %s ends everything', async (signal, whom) => {
  // npm, the launcher and two planes: no shell that would keep a signal to itself.
  const { family, pids, output } = await start(['npm', 'start'], 4);
  process.kill(pids[whom], signal);
  await expectEnd(family, output);
});

it.each(['npm', 'shell'] as const)('SIGTERM to %s ends the product, also with a shell in between', async (whom) => {
  const env = {
    npm_lifecycle_event: 'start',
    npm_lifecycle_script: script,
    npm_package_json: join(root, 'package.json'),
    PATH: `${join(root, 'node_modules/.bin')}:${process.env.PATH}`,
  };
  // Signals are not forwarded by either shell.
  const shell = JSON.stringify(`${script} ; true`);
  const npm = `require('node:child_process').spawn('sh', ['-c', ${shell}], { stdio: 'inherit' });`;
  const { family, pids, output } = await start([process.execPath, '-e', npm], 5, env);
  process.kill(pids[whom], 'SIGTERM');
  await expectEnd(family, output);
});

it('without npm the product stays when its parent exits, and ends by a signal of its own', async () => {
  const parent = `require('node:child_process').spawn(process.execPath, [${JSON.stringify(built)}], { stdio: 'inherit' });`;
  const { family, pids, output } = await start([process.execPath, '-e', parent], 4);
  process.kill(pids.npm, 'SIGKILL');
  await until(() => !isAlive(pids.npm), 'the parent is gone');
  await new Promise((resolve) => setTimeout(resolve, 2000));
  expect(family.filter(isAlive)).toHaveLength(family.length - 1);
  expect(output()).not.toContain('"stopping"');
  process.kill(pids.launcher, 'SIGHUP');
  await expectEnd(family, output);
});
