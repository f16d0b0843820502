import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { hasObs } from './tests/media/fixtures/obs.fixture.ts';

/** Tests mostly wait, also those that start real servers and browsers: two cores carry three files at a time. */
const maxWorkers = 3;

/** A busy machine makes a test slow, not red. */
const patient = {
  environment: 'node' as const,
  testTimeout: 120_000,
  hookTimeout: 120_000,
  setupFiles: [join(import.meta.dirname, 'tests/patience.setup.ts')],
  expect: { poll: { timeout: 20_000 } },
};

/** What counts frames or milliseconds, or loads both cores: it would fail beside others, or make others fail. */
const alone = [
  'tests/planes/attacks.test.ts',
  'tests/media/{low-latency-browser,matrix,never-read,obs,restart-control-plane,srt,webrtc}.test.ts',
  'tests/media/work/record.test.ts',
];

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          ...patient,
          include: ['packages/*/src/**/*.test.ts', 'apps/{weir,engine,server}/src/**/*.test.ts'],
          maxWorkers,
        },
      },
      {
        extends: './apps/web/vite.config.ts',
        test: {
          name: 'web',
          environment: 'happy-dom',
          root: './apps/web',
          include: ['src/**/*.test.{ts,tsx}'],
          maxWorkers,
        },
      },
      {
        test: {
          name: 'house',
          ...patient,
          include: ['tests/house/*.test.ts'],
          maxWorkers,
        },
      },
      {
        test: {
          name: 'whole',
          ...patient,
          include: ['tests/**/*.test.ts'],
          exclude: ['tests/house/**', ...alone],
          maxWorkers,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          name: 'alone',
          ...patient,
          include: alone,
          // Needs a program that few machines have. Where it is missing the file is no test, rather than a skipped one.
          exclude: hasObs() ? [] : ['tests/media/obs.test.ts'],
          fileParallelism: false,
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
});
