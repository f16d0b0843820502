import { vi } from 'vitest';

const patienceMs = 120_000;
const { waitFor } = vi;

// A second, which is what the library grants, is little on a busy machine. Files share a process: once is enough.
if (waitFor.name !== 'waitPatiently') {
  vi.waitFor = function waitPatiently(condition, options) {
    return waitFor(condition, typeof options === 'number' ? options : { timeout: patienceMs, ...options });
  };
}
