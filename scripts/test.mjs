// npm test: formatter and linter, types, then every test. `--quick` leaves out the tests that start whole products, ffmpeg or
// a browser. Other arguments are passed on to the test runner.
import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { ensureConsole, ensurePlanes, isNodeNewEnough, root, setUp } from './setup.mjs';

const modules = join(root, 'node_modules');
const isQuick = process.argv.includes('--quick');
const quickProjects = ['unit', 'measuring', 'house', 'web'].flatMap((name) => ['--project', name]);
const checks = [
  { name: 'format and lint', file: join(modules, '.bin/biome'), args: ['check', '--error-on-warnings', '.'] },
  { name: 'types of planes and packages', file: join(modules, '.bin/tsc'), args: ['-p', 'tsconfig.json'] },
  { name: 'types of the console', file: join(modules, '.bin/tsc'), args: ['-p', 'apps/web/tsconfig.json'] },
];

/** Runs a program in a process group of its own, so that whatever it leaves behind can be found and ended. */
function run(file, args) {
  const env = { ...process.env, WEIR_TEST_BUILT: '1' };
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

async function main() {
  const total = { passed: 0, failed: 0, skipped: 0 };
  await Promise.all(
    checks.map(async ({ name, file, args }) => {
      const { code } = await run(file, args);
      console.log(`${code === 0 ? 'ok' : 'FAILED'}: ${name}`);
      total[code === 0 ? 'passed' : 'failed'] += 1;
    }),
  );

  const scratch = mkdtempSync(join(tmpdir(), 'weir-test-'));
  const report = join(scratch, 'report.json');
  const vitest = [join(modules, 'vitest/vitest.mjs'), 'run', '--reporter=default', '--reporter=json'];
  const { code, left } = await run(process.execPath, [
    ...vitest,
    `--outputFile.json=${report}`,
    ...(isQuick ? quickProjects : []),
    ...process.argv.slice(2).filter((argument) => argument !== '--quick'),
  ]);
  try {
    const { numPassedTests, numFailedTests, numPendingTests, numTodoTests } = JSON.parse(readFileSync(report, 'utf8'));
    total.passed += numPassedTests;
    total.failed += numFailedTests;
    total.skipped += numPendingTests + numTodoTests;
  } catch (error) {
    console.error(`The test runner left no report: ${error.message}`);
  }
  // A file that cannot be loaded fails the run without failing a test.
  if (code !== 0 && total.failed === 0) total.failed += 1;
  if (left.length > 0) {
    console.error(`Left running by the tests, now ended: ${left.join(', ')}`);
    total.failed += 1;
  }
  rmSync(scratch, { recursive: true });
  console.log(`${total.passed} passed, ${total.failed} failed${total.skipped > 0 ? `, ${total.skipped} skipped` : ''}`);
  process.exit(total.failed === 0 ? 0 : 1);
}

setUp('test');
if (isNodeNewEnough()) {
  ensureConsole();
  ensurePlanes();
  await main();
}
