// Runs checks and tests for `npm test`: a process group each, of which nothing is left at the end.
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import process from 'node:process';
import { root } from './setup.mjs';

const modules = join(root, 'node_modules');
/** Results that later runs reuse. */
export const cache = join(modules, '.cache/weir-tests');

/** Hundreds of processes run the same source: its types are stripped and it is compiled once, which is most of a start. */
const compiled = join(cache, 'compiled');

/**
 * Before a program that yields to all others, built-in AI included, whose priority is low. Where Linux shares the cores between sessions, a
 * priority counts within its session alone, so the session gets it as well.
 */
const lowPriority = '{ echo 15 > /proc/self/autogroup; } 2> /dev/null; exec nice -n 15 "$@"';
const yielding = ['sh', '-c', lowPriority, 'sh'];

/**
 * Runs a program in a process group of its own, so that whatever it leaves behind can be found and ended. `isBehind`: at a low priority, with
 * all that it starts.
 */
export function run(command, { env: more = {}, isBehind = false } = {}) {
  const env = { ...process.env, WEIR_TEST_BUILT: '1', NODE_COMPILE_CACHE: compiled, ...more };
  const [file, ...args] = isBehind ? [...yielding, ...command] : command;
  const child = spawn(file, args, { cwd: root, env, stdio: ['ignore', 'inherit', 'inherit'], detached: true });
  const pass = (signal) => process.kill(-child.pid, signal);
  process.on('SIGINT', pass);
  process.on('SIGTERM', pass);
  return new Promise((resolve) => {
    child.on('exit', (code) => {
      process.off('SIGINT', pass);
      process.off('SIGTERM', pass);
      resolve({ code, left: endGroup(child.pid) });
    });
  });
}

/** Ends what is left of a process group and tells its names. */
function endGroup(group) {
  const left = [];
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const [, command, rest] = /^\d+ \((.*)\) (.*)$/s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? [];
      const [state, , processGroup] = rest?.split(' ') ?? [];
      if (Number(processGroup) === group && state !== 'Z') left.push(command);
    } catch {
      // The process ended meanwhile.
    }
  }
  if (left.length > 0) process.kill(-group, 'SIGKILL');
  return left;
}

/** Runs the test runner once and returns the counts of each file. Files written beside the project are removed. */
export async function runTests({ projects = [], args }) {
  const scratch = mkdtempSync(join(tmpdir(), 'weir-'));
  const report = join(scratch, 'report.json');
  const cpu = join(scratch, 'cpu');
  mkdirSync(cpu);
  const vitest = [join(modules, 'vitest/vitest.mjs'), 'run', '--reporter=default', '--reporter=json'];
  const named = projects.flatMap((name) => ['--project', name]);
  const command = [process.execPath, ...vitest, `--outputFile.json=${report}`, ...named, ...args];
  try {
    const env = { TMPDIR: scratch, WEIR_TEST_SCRATCH: scratch, WEIR_TEST_CPU: cpu };
    const { code, left } = await run(command, { env });
    if (left.length > 0) console.error(`Processes left running by the tests were ended: ${left.join(', ')}`);
    const { testResults } = JSON.parse(readFileSync(report, 'utf8'));
    const cpuSeconds = readCpuSeconds(cpu);
    const files = testResults.map((result) => ({ ...fileOf(result), cpuSeconds: cpuSeconds.get(result.name) ?? 0 }));
    return { code: code ?? 1, left: left.length > 0 ? 1 : 0, files };
  } finally {
    rmSync(scratch, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** CPU time of each file, as `tests/cpu.setup.ts` and browsers noted it. */
function readCpuSeconds(folder) {
  const lines = readdirSync(folder).flatMap((name) => readFileSync(join(folder, name), 'utf8').trim().split('\n'));
  const total = new Map();
  for (const { path, seconds } of lines.map((line) => JSON.parse(line)))
    total.set(path, (total.get(path) ?? 0) + seconds);
  return total;
}

/** Counts of a file, and the names of what failed in it. One that could not be loaded or prepared has failed as a whole, though no test of it has. */
function fileOf({ name: path, status, assertionResults, startTime, endTime }) {
  const name = relative(root, path);
  const those = (wanted) => assertionResults.filter((test) => test.status === wanted);
  const tests = those('failed').map(({ fullName }) => `${name} > ${fullName}`);
  const skipped = assertionResults.length - those('passed').length - tests.length;
  return {
    name,
    seconds: (endTime - startTime) / 1000,
    passed: those('passed').length,
    skipped,
    failed: status === 'failed' && tests.length === 0 ? [name] : tests,
  };
}
