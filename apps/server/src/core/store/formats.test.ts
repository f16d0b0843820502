import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { createLog } from '@weir/plane';
import { describe, expect, it } from 'vitest';
import { createReadyApp } from '../../app.ready.fixture.ts';
import { formatOf } from './older-settings.ts';
import { SqliteStore, steps } from './sqlite-store.ts';

const log = createLog('test', 'error');
log.level = 'silent';
const kept = 3;
/** The last formats, this one included. A new format needs a fixture of the version before it. */
const formats = steps.map((_step, index) => index + 1).slice(-kept);

/** Settings as a server of that format has written them: an administrator with a site title and a forward destination. */
function fileOf(format: number): string {
  const file = join(mkdtempSync(join(tmpdir(), 'weir-format-')), 'weir.db');
  const db = new DatabaseSync(file);
  db.exec(readFileSync(join(import.meta.dirname, `format-${format}.fixture.sql`), 'utf8'));
  db.close();
  return file;
}

describe('settings of the last three formats', () => {
  it.each(formats)('format %i is opened, brought up to date, and has what its server saved', async (format) => {
    const file = fileOf(format);
    expect(formatOf(file)).toBe(format);
    const { call, post } = await createReadyApp({ store: new SqliteStore(file, log) });
    expect((await call('mgmt/beian/query')).data).toMatchObject({ title: 'Format fixture' });
    expect((await call('ffmpeg/forward/secret')).data.wx).toMatchObject({ secret: 'fixture-key', enabled: false });
    expect((await post('/terraform/v1/mgmt/login', { password: 'the password' })).code).toBe(0);
    expect(formatOf(file)).toBe(steps.length);
  });
});
