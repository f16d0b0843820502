// Processes that belong together, and the CPU time they took.
import { type SpawnOptions, spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

const ticksPerSecond = 100;

export const pinned = (core: number, args: readonly string[], options: SpawnOptions = {}) =>
  spawn('taskset', ['-c', String(core), ...args], options);

function statOf(pid: number | string): string[] {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return text.slice(text.lastIndexOf(')') + 2).split(' ');
}

/** The process and everything it started. */
export function familyOf(pid: number): number[] {
  const parents = new Map<number, number>();
  for (const name of readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))) {
    try {
      parents.set(Number(name), Number(statOf(name)[1]));
    } catch {
      // The process ended meanwhile.
    }
  }
  const family = [pid];
  for (const member of family) for (const [child, parent] of parents) if (parent === member) family.push(child);
  return family;
}

export function cpuSeconds(pids: readonly number[]): number {
  return pids.reduce((sum, pid) => sum + (Number(statOf(pid)[11]) + Number(statOf(pid)[12])) / ticksPerSecond, 0);
}
