import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { until } from '../../../../../tests/weir.fixture.ts';
import { openServer } from './backup.fixture.ts';

const fixture = (name: string) =>
  readFileSync(join(import.meta.dirname, '../../migrate/import/fixtures', name), 'utf8');
const api = 'mgmt/imports';

async function openSignedIn() {
  const server = await openServer();
  onTestFinished(() => server.close());
  await server.signIn();
  return server;
}

it("an import lists what it takes over of another server's file, changes nothing until it is applied, and keeps the rest", async () => {
  const server = await openSignedIn();
  const { call } = server;
  await call('mgmt/beian/update', { beian: 'title', text: 'Harbour TV' });
  await call('mgmt/hphls/update', { noHlsCtx: false });
  const wish = { format: 'srs', text: fixture('srs.conf') };
  const { code, data: report } = await call(`${api}/inspect`, wish);
  expect(code).toBe(0);
  expect(report.taken).toContainEqual({ subject: 'record', name: '', note: 'recordFolder', fact: '' });
  expect(report.left).toContainEqual({ subject: 'hls', name: '', note: 'isSet', fact: '' });
  expect(report.left).toContainEqual({
    subject: 'port',
    name: '1936',
    note: 'setVariable',
    fact: 'WEIR_RTMP_LISTEN=1936',
  });
  // Keys of destinations and passwords of cameras are in the file.
  expect(JSON.stringify(report)).not.toMatch(/key-one|user:pass/);
  expect((await call('ffmpeg/forward/secret')).data).toEqual({});
  expect(server.restarted).toEqual([]);

  const replacing = await call(`${api}/inspect`, { ...wish, replaces: true });
  expect(replacing.data.taken).toContainEqual({ subject: 'hls', name: '', note: '', fact: '' });
  expect((await call(`${api}/apply`, wish)).data).toEqual(report);
  await until(async () => server.restarted.includes('server'), 'the control server restarts');
  // Written between the commit and the end of the process.
  await call('mgmt/limits/update', { vlive: 1234, camera: 2345 });
  await server.close();

  const next = await openServer(server.dataDir);
  onTestFinished(() => next.close());
  await next.signIn();
  const read = async (path: string) => (await next.call(path)).data;
  expect(Object.values(await read('ffmpeg/forward/secret'))).toMatchObject([{ enabled: false }, { enabled: false }]);
  expect(await read('hooks/record/query')).toMatchObject({ all: true, globs: ['/live/show', '/live/news'] });
  expect(await read('mgmt/hphls/query')).toMatchObject({ noHlsCtx: false });
  expect(await read('mgmt/beian/query')).toMatchObject({ title: 'Harbour TV' });
  expect(await read('mgmt/limits/query')).toMatchObject({ vlive: 1234 });
  expect(readdirSync(join(next.dataDir, 'backup')).some((name) => name.startsWith('before-restore-'))).toBe(true);
  expect(readdirSync(next.dataDir)).not.toContain('restore');
});

it('an import of a file of another kind, or of one without anything to take over, is refused and changes nothing', async () => {
  const server = await openSignedIn();
  const refusal = async (body: object) => {
    const { code, data } = await server.call(`${api}/apply`, body);
    return [code, data.why?.kind];
  };
  for (const [format, text] of [
    ['srs', 'listen 1935'],
    ['mediamtx', 'a: ['],
    ['restreamer', '{}'],
  ])
    expect(await refusal({ format, text })).toEqual([1004, 'import-unreadable']);
  expect(await refusal({ format: 'nginx-rtmp', text: 'http { }' })).toEqual([1004, 'import-empty']);
  expect((await server.call(`${api}/apply`, { format: 'toml', text: '' })).code).not.toBe(0);
  expect((await server.call(`${api}/apply`, { format: 'srs', text: 'x'.repeat(500_001) })).code).not.toBe(0);
  server.useBearer('nobody');
  expect((await server.call(`${api}/inspect`, { format: 'srs', text: '' })).status).toBe(401);
  expect(server.restarted).toEqual([]);
  expect(readdirSync(server.dataDir)).not.toContain('restore');
});
