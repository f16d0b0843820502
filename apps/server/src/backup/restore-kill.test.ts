import { type ChildProcess, spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createLog } from '@weir/plane';
import { rolldown } from 'rolldown';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { systemClock } from '../core/clock.ts';
import { SqliteStore } from '../core/store/sqlite-store.ts';
import type { StoredRow } from '../core/store/store.ts';
import { finishRestore } from './finish-restore.ts';
import type { Manifest } from './make-backup.ts';

const rounds = 24;
const directory = mkdtempSync(join(tmpdir(), 'weir-restore-kill-'));
const writer = join(directory, 'writer.mjs');
const prepared = join(directory, 'prepared');
const log = createLog('test', 'error');
log.level = 'silent';
let child: ChildProcess | undefined;

const manifest: Manifest = {
  what: 'weir-backup',
  format: 1,
  settings: 1,
  version: '1.0.0',
  createdAt: '2026-03-01T00:00:00.000Z',
  recordings: true,
};
/** Enough rows and bytes that a kill can hit every step. */
const rowsOf = (word: string): StoredRow[] =>
  Array.from({ length: 3000 }, (_, n) => ({ collection: 'limits', key: `n${n}`, value: JSON.stringify(word + n) }));
const textOf = (word: string) => word.repeat(200_000);
const files = ['config/nginx.crt', 'config/nginx.key', 'timeline.db', 'words.db', 'slates/a.png', 'slates/b.png'];
const stagedName = (name: string) => name.replace('config/', 'certificate/');

beforeAll(async () => {
  const input = join(import.meta.dirname, 'restore-writer.fixture.ts');
  // Loaded late, with another store.
  const bundle = await rolldown({ input, platform: 'node', external: ['@redis/client'] });
  await bundle.write({ file: writer, codeSplitting: false });
  await bundle.close();
  for (const folder of ['config', 'slates', 'restore/staged/certificate', 'restore/staged/slates'])
    mkdirSync(join(prepared, folder), { recursive: true });
  for (const name of files) {
    writeFileSync(join(prepared, name), textOf('old'));
    writeFileSync(join(prepared, 'restore/staged', stagedName(name)), textOf('new'));
  }
  const lines = rowsOf('new').map(({ collection, key, value }) => `${JSON.stringify([collection, key, value])}\n`);
  writeFileSync(join(prepared, 'restore/staged/settings.jsonl'), lines.join(''));
  const store = new SqliteStore(join(prepared, 'weir.db'), log);
  await store.replaceRows([...rowsOf('old'), { collection: 'session-salt', key: 'admin', value: '{"salt":"mine"}' }]);
  await store.close();
});
// Also when a test ran out of time: nobody else would end it.
afterEach(() => child?.kill('SIGKILL'));
afterAll(() => rmSync(directory, { recursive: true }));

/** Starts a restore on this data directory and kills it after a while. Returns what it said and how long it ran. */
async function restoreUntilKilled(dataDir: string, afterMs: number) {
  const writing = spawn(process.execPath, [writer, dataDir, JSON.stringify(manifest)], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { NODE_COMPILE_CACHE: join(directory, 'cache') },
  });
  child = writing;
  let said = '';
  let beganMs = 0;
  for await (const chunk of writing.stdout) {
    if (said === '') {
      beganMs = performance.now();
      sleep(afterMs).then(() => writing.kill('SIGKILL'));
    }
    said += String(chunk);
  }
  return { said, tookMs: performance.now() - beganMs };
}

/** `old` or `new`, or what is mixed. */
async function stateOf(dataDir: string): Promise<string> {
  const store = new SqliteStore(join(dataDir, 'weir.db'), log);
  const rows = await store.rows();
  await store.close();
  // The salt of this machine's sessions stays in any case.
  if (rows.length !== 3001) return `${rows.length} rows`;
  const words = [
    ...rows.filter(({ collection }) => collection === 'limits').map(({ value }) => value.slice(1, 4)),
    ...files
      .map((name) => readFileSync(join(dataDir, name), 'utf8'))
      .map((text) => (text.length === 600_000 ? text.slice(0, 3) : 'cut')),
  ];
  return [...new Set(words)].join(' and ');
}

it('S53 F07: leaves the old or the new state after SIGKILL at any moment, as the next start finds it', async () => {
  const config = (dataDir: string) => ({ dataDir, filesDir: dataDir, store: { kind: 'sqlite' } }) as const;
  let wholeMs = 0;
  const seen = new Set<string>();
  for (let round = 0; round < rounds; round++) {
    const dataDir = join(directory, `round-${round}`);
    cpSync(prepared, dataDir, { recursive: true });
    // The first one is not disturbed; the others are killed at moments spread over as long as it took.
    const { said, tookMs } = await restoreUntilKilled(
      dataDir,
      round === 0 ? 60_000 : (wholeMs * (round - 1)) / (rounds - 2),
    );
    if (round === 0) wholeMs = tookMs;
    await finishRestore({ config: config(dataDir), log, clock: systemClock });
    const state = await stateOf(dataDir);
    expect(['old', 'new']).toContain(state);
    if (said.includes('committed')) expect(state).toBe('new');
    seen.add(said.trim().split('\n').at(-1) ?? '');
    rmSync(dataDir, { recursive: true });
  }
  // Some were killed in the middle.
  expect([...seen]).toContain('committed');
}, 300_000);
