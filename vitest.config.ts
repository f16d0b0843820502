import { defineConfig } from 'vitest/config';
import { hasObs } from './tests/media/obs.fixture.ts';

/** Tests mostly wait, also those that start real servers and browsers: two cores carry three files at a time. */
const maxWorkers = 3;

const whole = { environment: 'node', testTimeout: 120_000, hookTimeout: 120_000 } as const;

/** What counts frames or milliseconds, or loads both cores: it would fail beside others, or make others fail. */
const alone = [
  'tests/planes/attacks.test.ts',
  'tests/media/{low-latency-browser,matrix,never-read,obs,record,restart-control-plane,srt,webrtc}.test.ts',
];

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          environment: 'node',
          include: ['packages/*/src/**/*.test.ts', 'apps/{weir,engine,server}/src/**/*.test.ts'],
          testTimeout: 30_000,
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
          name: 'whole',
          ...whole,
          include: ['tests/**/*.test.ts'],
          exclude: alone,
          maxWorkers,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          name: 'alone',
          ...whole,
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
