import { appendFileSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { expect } from 'vitest';

const ticksPerSecond = 100;
const folder = process.env.WEIR_TEST_CPU;

/** CPU seconds that a test file used, of which `npm test` prints the sum for each file. */
export function noteCpu(path: string | undefined, seconds: number): void {
  if (folder) appendFileSync(join(folder, `${process.pid}.jsonl`), `${JSON.stringify({ path, seconds })}\n`);
}

/** CPU seconds of a process and of its descendants that have been waited for. */
export function cpuSecondsOf(pid: number | 'self'): number {
  const [, rest = ''] = /^\d+ \(.*\) (.*)$/s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? [];
  // From the state on: user and system time of the process, then of its children.
  const ticks = rest.split(' ').slice(11, 15).map(Number);
  return ticks.reduce((sum, value) => sum + value, 0) / ticksPerSecond;
}

/** The processes of a browser are killed with it and waited for by nobody, so their CPU time is read before. */
export function countingCpu(browser: Browser): Browser {
  if (!folder) return browser;
  const close = browser.close.bind(browser);
  browser.close = () => {
    noteCpu(expect.getState().testPath, partsOfBrowsers());
    return close();
  };
  return browser;
}

/** Several browsers may be closed at once. */
const counted = new Set<number>();

/** CPU seconds of the renderers and services of all browsers below this process. The browsers themselves are waited for. */
function partsOfBrowsers(): number {
  const all = readdirSync('/proc').flatMap((name) => {
    try {
      const [, parent = ''] = /\) \S (\d+)/.exec(readFileSync(`/proc/${name}/stat`, 'utf8')) ?? [];
      return [{ pid: Number(name), parent: Number(parent), command: readFileSync(`/proc/${name}/cmdline`, 'utf8') }];
    } catch {
      return [];
    }
  });
  const family = new Set([process.pid]);
  for (const { pid, parent } of all.toSorted((a, b) => a.pid - b.pid)) if (family.has(parent)) family.add(pid);
  const parts = all.filter(({ pid, command }) => family.has(pid) && command.includes('--type=') && !counted.has(pid));
  for (const { pid } of parts) counted.add(pid);
  return parts.reduce((sum, { pid }) => sum + tryCpuSecondsOf(pid), 0);
}

function tryCpuSecondsOf(pid: number): number {
  try {
    return cpuSecondsOf(pid);
  } catch {
    return 0;
  }
}
