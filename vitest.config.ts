import { defineConfig } from 'vitest/config';
import { hasObs } from './tests/media/obs.fixture.ts';

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          environment: 'node',
          include: ['packages/*/src/**/*.test.ts', 'apps/{weir,engine,server}/src/**/*.test.ts'],
          testTimeout: 30_000,
        },
      },
      {
        extends: './apps/web/vite.config.ts',
        test: {
          name: 'web',
          environment: 'happy-dom',
          root: './apps/web',
          include: ['src/**/*.test.{ts,tsx}'],
        },
      },
      {
        test: {
          name: 'whole',
          environment: 'node',
          include: ['tests/**/*.test.ts'],
          // Needs a program that few machines have. Where it is missing the file is no test, rather than a skipped one.
          exclude: hasObs() ? [] : ['tests/media/obs.test.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
          // These start real servers and browsers: two cores carry one file at a time.
          fileParallelism: false,
        },
      },
    ],
  },
});
