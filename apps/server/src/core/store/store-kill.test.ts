import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLog } from '@weir/plane';
import { expect, it } from 'vitest';
import * as z from 'zod';
import { SqliteStore } from './sqlite-store.ts';

const writer = join(import.meta.dirname, 'store-writer.fixture.ts');
const rounds = 100;

/** Lets a child write until it has confirmed `enough` entries, kills it, and tells the last one it confirmed. */
async function writeUntilKilled(file: string, round: number, enough: number): Promise<number> {
  const child = spawn(process.execPath, [writer, file, String(round)], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { NODE_COMPILE_CACHE: join(file, '../cache') },
  });
  let said = '';
  for await (const chunk of child.stdout) {
    said += String(chunk);
    if (said.split('\n').length > enough) child.kill('SIGKILL');
  }
  return said.split('\n').length - 2;
}

it('loses no confirmed write to SIGKILL, 100 times over, and opens every time', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'weir-kill-'));
  const file = join(directory, 'weir.db');
  try {
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
  } finally {
    rmSync(directory, { recursive: true });
  }
}, 120_000);
