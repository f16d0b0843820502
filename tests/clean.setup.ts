import { afterAll, vi } from 'vitest';

// Files share a process: the next one finds the world as this one did.
afterAll(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});
