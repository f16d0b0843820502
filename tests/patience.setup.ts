import { vi } from 'vitest';

const patienceMs = 20_000;
const { waitFor } = vi;

// A second, which is what the library grants, is little on a busy machine.
vi.waitFor = (condition, options) =>
  waitFor(condition, typeof options === 'number' ? options : { timeout: patienceMs, ...options });
