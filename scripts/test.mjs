// npm test: formatter and linter, types, then every test. `--quick` leaves out the tests that start whole products or a
// browser, encode for long, or go on for days of segments. Other arguments are passed on to the test runner.
import { writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join, relative } from 'node:path';
import process from 'node:process';
import { ensureConsole, ensurePlanes, isNodeNewEnough, root, setUp } from './setup.mjs';
import { cache, run, runTests } from './test-runner.mjs';

const programs = join(root, 'node_modules/.bin');
const isQuick = process.argv.includes('--quick');
const passedOn = process.argv.slice(2).filter((argument) => argument !== '--quick');
const mostRepeated = 10;
const checks = [
  { name: 'format and lint', command: [join(programs, 'biome'), 'check', '--error-on-warnings', '.'] },
  typesOf('planes and packages', 'tsconfig.json'),
  typesOf('the console', 'apps/web/tsconfig.json'),
];

/**
 * Stages of a run, one after the other. Of a stage, the runs are begun at the same time, each by a test runner of its own.
 *
 * The console's tests are bound by CPU alone, and each of their processes loads the console once: two of them fill both cores. Beside others they
 * would slow down tests that count frames, or, at a lower priority, take so long that the page under test polls between two steps.
 */
const quickStages = [[{ projects: ['unit', 'measuring', 'conventions'] }, { projects: ['web'] }]];
const wholeStages = [
  [{ projects: ['unit', 'lengthy', 'measuring', 'soak'] }],
  [{ projects: ['conventions', 'web'] }],
  [{ projects: ['apart'] }],
  [{ projects: ['whole', 'alone'] }],
];

/**
 * Checkers beside each other check much of it twice, and no core is idle here: one, that seldom tidies its memory, is a third of the work.
 * What has not changed since the last check is known.
 */
function typesOf(what, project) {
  const known = join(cache, `types of ${what}.tsbuildinfo`);
  const command = [
    join(programs, 'tsc'),
    '-p',
    project,
    '--singleThreaded',
    '--incremental',
    '--tsBuildInfoFile',
    known,
  ];
  return { name: `types of ${what}`, command, env: { GOGC: '400' }, isBehind: !isQuick };
}

/**
 * Modules that tests start again and again, ended before Node could store its compile cache: on a new machine compiling
 * would be most of the cost of some files.
 */
const compiledAhead = [
  'engine/src/servers/srt/worker/srt-worker',
  'engine/src/servers/webrtc/rtc-worker',
  'engine/src/workers/delivery/delivery-worker',
  'engine/src/workers/worker/run-worker',
  'server/src/core/store/redis/redis-store',
];

/** All projects in one run, as whoever names files expects, or in stages. */
async function runAll() {
  const stages = isQuick ? quickStages : wholeStages;
  const projects = isQuick ? stages.flat().flatMap((one) => one.projects) : [];
  const results = [];
  for (const stage of passedOn.length > 0 ? [[{ projects }]] : stages) {
    const before = coresNow();
    const settled = await Promise.allSettled(stage.map((one) => runTests({ ...one, args: passedOn })));
    printStage(stage, before, coresNow());
    // A run without a report fails this command, but only after the others have ended.
    for (const { value, reason } of settled) {
      if (reason) throw reason;
      results.push(value);
    }
  }
  return {
    code: Math.max(...results.map(({ code }) => code)),
    left: results.reduce((total, { left }) => total + left, 0),
    files: results.flatMap(({ files }) => files),
  };
}

/** Milliseconds that all cores together have been there, and been idle. */
function coresNow() {
  const times = cpus().map(({ times }) => times);
  const sum = (values) => values.reduce((total, value) => total + value, 0);
  return { ms: sum(times.flatMap((one) => Object.values(one))), idleMs: sum(times.map(({ idle }) => idle)) };
}

/** Duration of a stage, and whether more could have been begun at the same time: where the cores are busy only less work makes it shorter. */
function printStage(stage, before, after) {
  const names = stage.flatMap(({ projects }) => projects).join(', ');
  const ms = after.ms - before.ms;
  const busy = Math.round(100 - (100 * (after.idleMs - before.idleMs)) / Math.max(1, ms));
  console.log(`Stage of ${names || 'named files'}: ${Math.round(ms / 1000 / cpus().length)} s, cores ${busy} % busy`);
}

/**
 * Nearly every file starts real programs or shares its process with others, and may meet a moment in which the machine or a neighbour was
 * busy with something else. Such files are repeated once, each by itself, and the run says so. A fault of ours fails again; more than a few
 * are no chance. Our own rules are no matter of time.
 */
function filesToRepeat(red) {
  const canRepeat = red.length <= mostRepeated && !red.some(({ name }) => name.startsWith('tests/conventions/'));
  return canRepeat ? red.map(({ name }) => name) : [];
}

/** Files that take longest beside others, and files with the most CPU time, which bounds the whole run. */
function printCostliest(files) {
  printMost('Slowest files', 10, files, ({ seconds }) => seconds);
  printMost('Most CPU time', 30, files, ({ cpuSeconds }) => cpuSeconds);
  const total = files.reduce((sum, { cpuSeconds }) => sum + cpuSeconds, 0);
  console.log(`CPU time of all files: ${total.toFixed(0)} s (each: ${keepCosts(files)})`);
}

/** Every file with its times, the most CPU time first. */
function keepCosts(files) {
  const path = join(cache, 'costs.txt');
  const lines = files
    .toSorted((a, b) => b.cpuSeconds - a.cpuSeconds)
    .map(({ name, seconds, cpuSeconds }) => `${cpuSeconds.toFixed(1)} s CPU, ${seconds.toFixed(1)} s  ${name}\n`);
  writeFileSync(path, lines.join(''));
  return relative(root, path);
}

function printMost(title, count, files, measure) {
  console.log(`${title}:`);
  for (const file of files.toSorted((a, b) => measure(b) - measure(a)).slice(0, count))
    console.log(`  ${measure(file).toFixed(0).padStart(4)} s  ${file.name}`);
}

async function main() {
  const total = { passed: 0, failed: 0, skipped: 0 };
  // Each of them uses one core. They start before the builds, which block this process, and end beside the first tests.
  const checking = checks.map(async ({ name, command, env, isBehind }) => {
    const { code } = await run(command, { env, isBehind });
    console.log(`${code === 0 ? 'ok' : 'FAILED'}: ${name}`);
    total[code === 0 ? 'passed' : 'failed'] += 1;
  });
  ensureConsole();
  ensurePlanes();

  const imports = compiledAhead.map((name) => `import './apps/${name}.ts';`);
  await run([process.execPath, '--input-type=module', '-e', imports.join('')]);
  try {
    const first = await runAll();
    printCostliest(first.files);
    const again = filesToRepeat(first.files.filter(({ failed }) => failed.length > 0));
    const second = again.length > 0 ? await runTests({ args: ['--no-file-parallelism', ...again] }) : undefined;
    const repeated = new Map(second?.files.map((file) => [file.name, file]));
    for (const file of first.files) {
      const { passed, failed, skipped } = repeated.get(file.name) ?? file;
      total.passed += passed;
      total.failed += failed.length;
      total.skipped += skipped;
      for (const name of failed.length === 0 ? file.failed : []) console.log(`Passed only when repeated: ${name}`);
    }
    total.failed += first.left + (second?.left ?? 0);
    // An error that no file takes on fails the run all the same.
    if ((second ?? first).code !== 0 && total.failed === 0) total.failed += 1;
  } catch (error) {
    console.error(`The test runner left no report: ${error.message}`);
    total.failed += 1;
  }
  await Promise.all(checking);
  console.log(`${total.passed} passed, ${total.failed} failed${total.skipped > 0 ? `, ${total.skipped} skipped` : ''}`);
  process.exit(total.failed === 0 ? 0 : 1);
}

setUp('test');
if (isNodeNewEnough()) await main();
