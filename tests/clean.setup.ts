import { flushCompileCache } from 'node:module';
import { afterAll, vi } from 'vitest';

// Files share a process: the next one finds the world as this one did.
afterAll(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  // The process is ended by a signal, which would keep nothing of what was compiled for the next run.
  flushCompileCache();
});
