import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLog } from '@weir/plane';
import { rolldown } from 'rolldown';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import * as z from 'zod';
import { SqliteStore } from './sqlite-store.ts';

const rounds = 51;
const directory = mkdtempSync(join(tmpdir(), 'weir-kill-'));
const writer = join(directory, 'writer.mjs');
let child: ChildProcess | undefined;

// Bundles into one file like the planes, which starts in a quarter of the time.
beforeAll(async () => {
  const bundle = await rolldown({ input: join(import.meta.dirname, 'store-writer.fixture.ts'), platform: 'node' });
  await bundle.write({ file: writer });
  await bundle.close();
});
// Also when a test ran out of time: nobody else would end it.
afterEach(() => child?.kill('SIGKILL'));
afterAll(() => rmSync(directory, { recursive: true }));

/** Lets a child write until it has confirmed `enough` entries, kills it, and tells the last one it confirmed. */
async function writeUntilKilled(file: string, round: number, enough: number): Promise<number> {
  const writing = spawn(process.execPath, [writer, file, String(round)], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { NODE_COMPILE_CACHE: join(directory, 'cache') },
  });
  child = writing;
  let said = '';
  for await (const chunk of writing.stdout) {
    said += String(chunk);
    if (said.split('\n').length > enough) writing.kill('SIGKILL');
  }
  return said.split('\n').length - 2;
}

it('loses no confirmed write to SIGKILL, fifty times over, and opens every time', async () => {
  const file = join(directory, 'weir.db');
  const confirmed = new Map<number, number>();
  for (let round = 0; round < rounds; round++) {
    const last = await writeUntilKilled(file, round, 1 + (round % 17));
    expect(last).toBeGreaterThanOrEqual(0);
    confirmed.set(round, last);
    const store = new SqliteStore(file, createLog('test', 'error'));
    const stored = new Map(
      (await store.collection('entries', z.string()).list()).map(({ key, value }) => [key, value]),
    );
    for (const [earlier, count] of confirmed) {
      for (let n = 0; n <= count; n++) expect(stored.get(`${earlier}-${n}`)).toBe('x'.repeat(n % 500));
    }
    await store.close();
  }
}, 300_000);
