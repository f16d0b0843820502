import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLog } from '@weir/plane';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createReadyApp } from '../../app.ready.fixture.ts';
import { FakeClock } from '../../core/clock.fixture.ts';
import { formatOf } from '../../core/store/older-settings.ts';
import { SqliteStore } from '../../core/store/sqlite-store.ts';
import { releaseFile } from '../../releases/release-list.ts';
import { ReleaseSigner } from '../../releases/release-signer.fixture.ts';

const signer = new ReleaseSigner();
const log = createLog('test', 'error');
log.level = 'silent';
const name = releaseFile('tarball', '1.3.0', process.arch);
const tarball = Buffer.from('a release');
const sums = `${createHash('sha256').update(tarball).digest('hex')}  ${name}\n`;

/** Files at the place of releases, by path. */
const files = new Map<string, string | Buffer>();
const seen: IncomingMessage[] = [];
const server = createServer((request, response) => {
  seen.push(request);
  const body = files.get(request.url ?? '');
  if (body === undefined) response.writeHead(404).end();
  else response.end(body);
});
let base: string;
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}/weir`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

function place(path: string, text: string, by = signer): void {
  files.set(`/weir/${path}`, text);
  files.set(`/weir/${path}.minisig`, by.sign(text));
}
const listOf = (version: string, stable = version) =>
  JSON.stringify({ version, stable, date: '2026-11-19T00:00:00Z', notes: `${base}/${version}/NOTES.md` });

beforeEach(() => {
  seen.length = 0;
  files.clear();
  place('latest.json', listOf('1.3.0'));
  place('1.3.0/SHA256SUMS', sums);
  files.set(`/weir/1.3.0/${name}`, tarball);
});

async function open(env: Record<string, string> = { WEIR_INSTALLATION: 'tarball' }) {
  const dataDir = mkdtempSync(join(tmpdir(), 'weir-updates-'));
  const clock = new FakeClock('2026-11-19T12:00:00Z');
  const store = new SqliteStore(join(dataDir, 'weir.db'), log);
  const app = await createReadyApp({ env, dataDir, store, clock, release: { base, key: signer.publicKey } });
  const call = (path: string, body: object = {}) => app.call(`mgmt/${path}`, body);
  /** Asks until the update is there, with time going by. */
  const until = async (phase: string) => {
    await expect
      .poll(async () => {
        clock.pass(500);
        return (await call('updates/query')).data.update?.phase;
      })
      .toBe(phase);
    return (await call('updates/query')).data.update;
  };
  return { ...app, call, until, clock, dataDir, updates: join(dataDir, 'update') };
}

describe('looking for releases', () => {
  it('finds a newer one, says so in the status, and sends nothing about this server', async () => {
    const { call } = await open();
    expect((await call('updates/look')).data).toMatchObject({
      version: '1.2.3',
      stable: '1.3.0',
      latest: '1.3.0',
      offered: '1.3.0',
      notes: `${base}/1.3.0/NOTES.md`,
      problem: '',
    });
    expect((await call('status')).data).toMatchObject({ version: 'v1.2.3', stable: 'v1.3.0', latest: 'v1.3.0' });
    expect(seen.map(({ url }) => url).sort()).toEqual(['/weir/latest.json', '/weir/latest.json.minisig']);
    for (const { headers } of seen)
      expect(Object.keys(headers).sort()).toEqual(['accept-encoding', 'connection', 'host']);
  });

  it('knows a preview and does not offer it, and never offers an older version', async () => {
    const { call } = await open();
    place('latest.json', listOf('1.4.0-beta.1', '1.2.3'));
    expect((await call('updates/look')).data).toMatchObject({ latest: '1.4.0-beta.1', stable: '1.2.3', offered: '' });
    place('latest.json', listOf('1.1.0'));
    expect((await call('updates/look')).data).toMatchObject({ latest: '1.2.3', stable: '1.2.3', offered: '' });
    expect((await call('upgrade', { version: '1.1.0' })).code).toBe(1004);
  });

  it.each([
    ['nothing there', 'unreachable', () => files.delete('/weir/latest.json.minisig')],
    ['another key', 'unsigned', () => place('latest.json', listOf('1.3.0'), new ReleaseSigner())],
    ['a changed list', 'unsigned', () => files.set('/weir/latest.json', listOf('1.3.1'))],
    ['no list', 'unreadable', () => place('latest.json', '{"version":"../../x"}')],
  ] as const)('S58: believes nothing with %s and says %s', async (_title, problem, change) => {
    const { call } = await open();
    change();
    expect((await call('updates/look')).data).toMatchObject({ problem, offered: '', latest: '1.2.3' });
  });

  it('is switched off and sent elsewhere in the console, and switched off for good by the environment', async () => {
    const { call } = await open();
    expect((await call('updates/update', { looks: true, base: 'http://user@host/' })).code).toBe(1004);
    await call('updates/update', { looks: true, base: `${base}/other/` });
    expect(seen.at(-1)?.url).toMatch(/^\/weir\/other\/latest\.json/);
    seen.length = 0;
    await call('updates/update', { looks: false, base: '' });
    expect((await call('updates/look')).data).toMatchObject({ problem: 'off', looks: false });
    const forGood = await open({ WEIR_UPDATE_URL: 'off' });
    await forGood.call('updates/update', { looks: true, base });
    expect((await forGood.call('updates/look')).data).toMatchObject({ problem: 'off', isOffForGood: true });
    expect(seen).toEqual([]);
  });
});

describe('an update', () => {
  it('downloads the release, copies the settings, and hands both over once', async () => {
    const { call, until, updates, clock } = await open();
    await call('updates/look');
    expect((await call('upgrade')).data).toEqual({ version: '1.3.0' });
    expect((await call('upgrade')).code).toBe(1005);
    expect(await until('waiting')).toMatchObject({ version: '1.3.0', from: '1.2.3', cause: '' });
    expect((await call('status')).data.upgrading).toBe(true);
    expect(JSON.parse(readFileSync(join(updates, 'request.json'), 'utf8'))).toEqual({ version: '1.3.0' });
    expect(readdirSync(join(updates, 'download')).sort()).toEqual(['SHA256SUMS', 'SHA256SUMS.minisig', name].sort());
    expect(readFileSync(join(updates, 'download', name)).equals(tarball)).toBe(true);
    expect(formatOf(join(updates, 'settings-before.db'))).toBeGreaterThan(0);
    // No updater runs here, so the request stays unread.
    clock.pass(30_000);
    expect(await until('failed')).toMatchObject({ cause: 'no-updater' });
    expect(readdirSync(updates)).not.toContain('request.json');
    const { alerts } = (await call('status')).data;
    expect(alerts).toEqual([expect.objectContaining({ kind: 'update', subject: '1.3.0', cause: 'no-updater' })]);
    await call('updates/confirm');
    expect((await call('status')).data).toMatchObject({ alerts: [], upgrading: false });
  });

  it.each([
    ['a damaged file', 'damaged', () => files.set(`/weir/1.3.0/${name}`, 'a releasE')],
    ['a file that is not there', 'unreachable', () => files.delete(`/weir/1.3.0/${name}`)],
    ['checksums of somebody else', 'unsigned', () => place('1.3.0/SHA256SUMS', sums, new ReleaseSigner())],
    ['checksums without its file', 'damaged', () => place('1.3.0/SHA256SUMS', sums.replace(name, 'other'))],
  ] as const)('S58: with %s fails as %s, and nothing is handed over', async (_title, cause, change) => {
    const { call, until, updates } = await open();
    await call('updates/look');
    change();
    await call('upgrade', { version: '1.3.0' });
    expect(await until('failed')).toMatchObject({ cause });
    expect(readdirSync(updates)).not.toContain('request.json');
    expect(readdirSync(updates)).not.toContain('download');
  });

  it('begins in the upgrade window without being asked, once', async () => {
    const { call, until, clock } = await open();
    await call('window/update', { start: 0, duration: 24 });
    await call('strategy', { strategy: 'auto' });
    await call('updates/look');
    files.delete(`/weir/1.3.0/${name}`);
    clock.pass(60_000);
    await until('failed');
    const asked = seen.length;
    clock.pass(120_000);
    await call('updates/query');
    expect(seen.length).toBe(asked);
  });

  it('is refused where others replace the files', async () => {
    const { call } = await open({ PLATFORM_DOCKER: 'on' });
    expect((await call('updates/look')).data).toMatchObject({ installation: 'container', offered: '1.3.0' });
    expect((await call('upgrade')).code).toBe(1004);
  });

  it('that a process before this one did not finish has failed, and its end is told to broadcasts', async () => {
    const first = await open();
    await first.call('updates/query');
    const at = '2026-11-19T11:00:00Z';
    const state = { version: '1.3.0', from: '1.2.3', phase: 'downloading', startedAt: at, at };
    const dataDir = mkdtempSync(join(tmpdir(), 'weir-updates-'));
    const { mkdirSync } = await import('node:fs');
    mkdirSync(join(dataDir, 'update'));
    writeFileSync(join(dataDir, 'update/state.json'), JSON.stringify(state));
    const clock = new FakeClock('2026-11-19T12:00:00Z');
    const { call } = await createReadyApp({ dataDir, clock, release: { base, key: signer.publicKey } });
    await expect
      .poll(async () => {
        clock.pass(500);
        return (await call('mgmt/updates/query')).data.update;
      })
      .toMatchObject({ phase: 'failed', cause: 'interrupted' });
  });
});
