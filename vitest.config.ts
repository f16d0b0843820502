import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { srsLess } from './tests/media/engines/srs-binary.fixture.ts';
import { hasObs } from './tests/media/fixtures/obs.fixture.ts';
import { alone, apart, LongestFirst, lengthy, measuring, soaks } from './tests/projects.ts';

// Temporary files of all tests and of what they start lie in one folder, which goes with the run. Workers read this file, too.
if (process.env.WEIR_TEST_SCRATCH === undefined) {
  const scratch = mkdtempSync(join(tmpdir(), 'weir-tests-'));
  Object.assign(process.env, { WEIR_TEST_SCRATCH: scratch, TMPDIR: scratch });
  process.on('exit', () => rmSync(scratch, { recursive: true, force: true, maxRetries: 5 }));
}

/** Four files at a time leave nothing of two cores idle. */
const maxWorkers = 4;
const apartWorkers = 3;
/** For tests bound by CPU. Each loads the console once, which is most of what its smaller files cost. */
const consoleWorkers = 2;

/** A busy machine makes a test slow, not red. */
const patient = {
  environment: 'node' as const,
  testTimeout: 300_000,
  hookTimeout: 300_000,
  setupFiles: ['cpu', 'patience', 'clean'].map((name) => join(import.meta.dirname, `tests/${name}.setup.ts`)),
  expect: { poll: { timeout: 120_000 } },
};

/** A process for each file costs more than most files do. Whatever a file changes for all, it changes back (`clean.setup.ts`). */
const shared = { isolate: false };

export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          name: 'unit',
          ...patient,
          ...shared,
          include: ['packages/*/src/**/*.test.ts', 'apps/{weir,engine,server,ai}/src/**/*.test.ts'],
          exclude: [...measuring, ...soaks, ...lengthy, ...apart],
          maxWorkers,
        },
      },
      {
        test: {
          name: 'lengthy',
          ...patient,
          ...shared,
          include: lengthy,
          maxWorkers,
        },
      },
      {
        test: {
          name: 'measuring',
          ...patient,
          include: measuring,
          maxWorkers,
        },
      },
      {
        test: {
          name: 'soak',
          ...patient,
          include: soaks,
          maxWorkers,
        },
      },
      {
        extends: './apps/web/vite.config.ts',
        test: {
          name: 'web',
          ...shared,
          environment: 'happy-dom',
          // No page in messages, unless somebody asks (`setup.ts` in the console's tests).
          env: { DEBUG_PRINT_LIMIT: process.env.DEBUG_PRINT_LIMIT ?? '0' },
          root: './apps/web',
          include: ['src/**/*.test.{ts,tsx}'],
          maxWorkers: consoleWorkers,
          sequence: { groupOrder: 3 },
        },
      },
      {
        test: {
          name: 'conventions',
          ...patient,
          ...shared,
          include: ['tests/conventions/*.test.ts'],
          maxWorkers: consoleWorkers,
          sequence: { groupOrder: 5 },
        },
      },
      {
        test: {
          name: 'whole',
          ...patient,
          ...shared,
          include: ['tests/**/*.test.ts'],
          // As with OBS: without a binary of SRS, or one that can do it, a file is no test.
          exclude: ['tests/conventions/**', ...apart, ...alone, ...srsLess()],
          maxWorkers,
          sequence: { groupOrder: 2 },
        },
      },
      {
        test: {
          name: 'apart',
          ...patient,
          ...shared,
          include: apart,
          // Needs a program that few machines have. Where it is missing the file is no test, rather than a skipped one.
          exclude: hasObs() ? [] : ['tests/media/obs.test.ts'],
          maxWorkers: apartWorkers,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          name: 'alone',
          ...patient,
          ...shared,
          include: alone,
          maxWorkers: 1,
          sequence: { groupOrder: 4 },
        },
      },
    ],
  },
});
