import { readFileSync } from 'node:fs';

/** What most systems allow where nothing can be read of it. */
const usual = 1024;

/** How many files and connections this process may have open. */
export function descriptorLimit(read: () => string = () => readFileSync('/proc/self/limits', 'utf8')): number {
  try {
    const [, value = ''] = /^Max open files\s+(\S+)/m.exec(read()) ?? [];
    if (value === 'unlimited') return Number.POSITIVE_INFINITY;
    return /^\d+$/.test(value) ? Number(value) : usual;
  } catch {
    return usual;
  }
}
