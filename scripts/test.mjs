// npm test: formatter and linter, types, then every test. `--quick` leaves out the tests that start whole products or a
// browser, encode for long, or go on for days of segments. Other arguments are passed on to the test runner.
import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import process from 'node:process';
import { ensureConsole, ensurePlanes, isNodeNewEnough, root, setUp } from './setup.mjs';

const modules = join(root, 'node_modules');
const isQuick = process.argv.includes('--quick');
const quickProjects = ['unit', 'measuring', 'house', 'web'].flatMap((name) => ['--project', name]);
const mostRepeated = 6;
const checks = [
  { name: 'format and lint', file: join(modules, '.bin/biome'), args: ['check', '--error-on-warnings', '.'] },
  typesOf('planes and packages', 'tsconfig.json'),
  typesOf('the console', 'apps/web/tsconfig.json'),
];

/** Checkers beside each other check much of it twice, and no core is idle here: one, that seldom tidies its memory, is a third of the work. */
function typesOf(what, project) {
  const args = ['-p', project, '--singleThreaded'];
  return { name: `types of ${what}`, file: join(modules, '.bin/tsc'), args, env: { GOGC: '400' } };
}

/** Hundreds of processes run the same source: its types are stripped and it is compiled once, which is most of a start. */
const compiled = join(modules, '.cache/weir-tests/compiled');

/**
 * What tests start again and again, and the engine ends before it could keep what was compiled: that alone would be most of what some files
 * cost on a machine that never ran them.
 */
const compiledAhead = [
  'servers/srt/worker/srt-worker',
  'servers/webrtc/worker/rtc-worker',
  'workers/worker/run-worker',
];

/** Runs a program in a process group of its own, so that whatever it leaves behind can be found and ended. */
function run(file, args, more = {}) {
  const env = { ...process.env, WEIR_TEST_BUILT: '1', NODE_COMPILE_CACHE: compiled, ...more };
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
      // It ended while we looked.
    }
  }
  if (left.length > 0) process.kill(-group, 'SIGKILL');
  return left;
}

/** One run of the test runner: what it counted, and what failed by name. */
async function runTests(scratch, args) {
  const report = join(scratch, 'report.json');
  rmSync(report, { force: true });
  const vitest = [join(modules, 'vitest/vitest.mjs'), 'run', '--reporter=default', '--reporter=json'];
  const { code, left } = await run(process.execPath, [...vitest, `--outputFile.json=${report}`, ...args]);
  if (left.length > 0) console.error(`Left running by the tests, now ended: ${left.join(', ')}`);
  const { testResults, numTotalTests, numPendingTests, numTodoTests } = JSON.parse(readFileSync(report, 'utf8'));
  const red = testResults.filter(({ status }) => status === 'failed');
  return {
    code,
    left: left.length > 0 ? 1 : 0,
    count: numTotalTests,
    skipped: numPendingTests + numTodoTests,
    files: red.map(({ name }) => relative(root, name)),
    failed: red.flatMap(({ name, assertionResults }) =>
      assertionResults
        .filter(({ status }) => status === 'failed')
        .map(({ fullName }) => `${relative(root, name)} > ${fullName}`),
    ),
  };
}

/**
 * Nearly every file starts real programs or shares its process with others, and may meet a moment in which the machine or a neighbour was
 * busy with something else. Such files are repeated once, each by itself, and the run says so. A fault of ours fails again; more than a few
 * are no chance. Our own rules are no matter of time.
 */
function filesToRepeat({ files, failed }) {
  const canRepeat = failed.length > 0 && files.length <= mostRepeated;
  return canRepeat && !files.some((file) => file.startsWith('tests/house/')) ? files : [];
}

async function main() {
  const total = { passed: 0, failed: 0, skipped: 0 };
  // Each of them uses one core. They start before the builds, which block this process, and end beside the first tests.
  const checking = checks.map(async ({ name, file, args, env }) => {
    const { code } = await run(file, args, env);
    console.log(`${code === 0 ? 'ok' : 'FAILED'}: ${name}`);
    total[code === 0 ? 'passed' : 'failed'] += 1;
  });
  ensureConsole();
  ensurePlanes();

  const imports = compiledAhead.map((name) => `import './apps/engine/src/${name}.ts';`);
  await run(process.execPath, ['--input-type=module', '-e', imports.join('')]);
  const scratch = mkdtempSync(join(tmpdir(), 'weir-test-'));
  try {
    const passedOn = process.argv.slice(2).filter((argument) => argument !== '--quick');
    const first = await runTests(scratch, [...(isQuick ? quickProjects : []), ...passedOn]);
    const again = filesToRepeat(first);
    const second = again.length > 0 ? await runTests(scratch, ['--no-file-parallelism', ...again]) : undefined;
    for (const test of second?.failed.length === 0 ? first.failed : [])
      console.log(`Passed only when repeated: ${test}`);
    const failed = second ? second.failed : first.failed;
    total.passed += first.count - first.skipped - failed.length;
    total.failed += failed.length + first.left + (second?.left ?? 0);
    total.skipped += first.skipped;
    // A file that cannot be loaded fails the run without failing a test.
    if ((second ?? first).code !== 0 && total.failed === 0) total.failed += 1;
  } catch (error) {
    console.error(`The test runner left no report: ${error.message}`);
    total.failed += 1;
  }
  rmSync(scratch, { recursive: true });
  await Promise.all(checking);
  console.log(`${total.passed} passed, ${total.failed} failed${total.skipped > 0 ? `, ${total.skipped} skipped` : ''}`);
  process.exit(total.failed === 0 ? 0 : 1);
}

setUp('test');
if (isNodeNewEnough()) await main();
