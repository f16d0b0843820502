import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect } from 'vitest';

const ticksPerSecond = 100;

/** CPU seconds of this process and of its descendants that have been waited for. */
function cpuSeconds(): number {
  const [, rest = ''] = /^\d+ \(.*\) (.*)$/s.exec(readFileSync('/proc/self/stat', 'utf8')) ?? [];
  // From the state on: user and system time of the process, then of its children.
  const ticks = rest.split(' ').slice(11, 15).map(Number);
  return ticks.reduce((sum, value) => sum + value, 0) / ticksPerSecond;
}

// A wall clock says little about a file that shares two cores with four others. Setup files run before the file is imported.
const folder = process.env.WEIR_TEST_CPU;
if (folder) {
  const start = cpuSeconds();
  const { testPath } = expect.getState();
  afterAll(() => {
    const line = JSON.stringify({ path: testPath, seconds: cpuSeconds() - start });
    appendFileSync(join(folder, `${process.pid}.jsonl`), `${line}\n`);
  });
}
