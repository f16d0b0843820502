import { readFileSync } from 'node:fs';

/** Common default of the limit, used where it cannot be read. */
const usual = 1024;

/** Reads the limit of open files and connections of this process. */
export function descriptorLimit(read: () => string = () => readFileSync('/proc/self/limits', 'utf8')): number {
  try {
    const [, value = ''] = /^Max open files\s+(\S+)/m.exec(read()) ?? [];
    if (value === 'unlimited') return Number.POSITIVE_INFINITY;
    return /^\d+$/.test(value) ? Number(value) : usual;
  } catch {
    return usual;
  }
}
