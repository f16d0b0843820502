import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLog } from '@weir/plane';
import { expect, it } from 'vitest';
import { SqliteStore } from '../core/store/sqlite-store.ts';
import { planRestore } from './restore-plan.ts';

const row = (collection: string, key: string, value: unknown) => ({ collection, key, value: JSON.stringify(value) });

it('counts what a restore adds, changes and removes by part, and leaves out what belongs to the machine', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'weir-plan-'));
  const settings = join(directory, 'present.db');
  const store = new SqliteStore(settings, createLog('test', 'error'));
  await store.replaceRows([
    row('forward', 'wx', { enabled: true }),
    row('forward', 'bilibili', {}),
    row('hls', 'hls', { noHlsCtx: false }),
    row('ended-session', 'x', {}),
    row('recordings', 'mine', {}),
  ]);
  await store.close();
  const staged = [
    row('forward', 'wx', { enabled: false }),
    row('hls', 'hls', { noHlsCtx: false }),
    row('password', 'admin', { hash: 'x' }),
    row('unheard-of', 'x', 1),
    row('session-salt', 'admin', {}),
  ];
  mkdirSync(join(directory, 'certificate'));
  writeFileSync(join(directory, 'certificate/nginx.crt'), 'a certificate');
  const lines = staged.map(({ collection, key, value }) => `${JSON.stringify([collection, key, value])}\n`);
  writeFileSync(join(directory, 'settings.jsonl'), lines.join(''));
  const facts = { format: 1, settings: 1, version: '1.0.0', createdAt: '2026-03-01T00:00:00.000Z', recordings: false };
  const manifest = { what: 'weir-backup', ...facts } as const;
  const present = { settings, dataDir: directory, broadcasts: 3, transcripts: 0 };
  expect(await planRestore({ directory, manifest, bytes: 5, id: 'id' }, present)).toEqual({
    id: 'id',
    createdAt: facts.createdAt,
    version: '1.0.0',
    bytes: 5,
    changes: [
      { part: 'account', added: 1, changed: 0, removed: 0 },
      { part: 'forward', added: 0, changed: 1, removed: 1 },
      { part: 'other', added: 1, changed: 0, removed: 0 },
    ],
    password: true,
    apiSecret: false,
    certificate: 'replaced',
    broadcasts: null,
    transcripts: null,
    recordings: false,
  });
});
