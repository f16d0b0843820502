import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { cp, mkdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { request } from 'node:https';
import { join } from 'node:path';
import { type ConnectionOptions, connect } from 'node:tls';
import { createLog } from '@weir/plane';
import { beforeAll, expect, test, vi } from 'vitest';
import { installPair, makePair, type Pair } from '../tls-pair.fixture.ts';
import { openFrontDoor, temporaryDirectory } from './front-door.fixture.ts';

let first: Pair;
let second: Pair;
let rsa: Pair;

beforeAll(async () => {
  [first, second, rsa] = await Promise.all([makePair(), makePair(), makePair(['rsa:2048'])]);
});

/** The certificate that a handshake shows, or the error that ends it. */
function shownBy(port: number, options: Record<string, string> = {}): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port, rejectUnauthorized: false, ...options });
    socket.once('secureConnect', () => {
      resolve(socket.getPeerX509Certificate()?.fingerprint256 ?? '');
      socket.destroy();
    });
    socket.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
  });
}

const fingerprint = ({ cert }: Pair) => new X509Certificate(cert).fingerprint256;

test('without a certificate, listens, fails handshakes cleanly and reports the reason', async () => {
  const { door } = await openFrontDoor();
  expect(await shownBy(door.httpsPort)).toMatch(/^(ERR_SSL_|EPROTO)/);
  expect(door.listeners().at(-1)).toEqual({
    protocol: 'https',
    port: door.httpsPort,
    ready: false,
    note: 'no-certificate',
  });
});

test('uses a new or changed certificate from the next handshake on', async () => {
  const { door, dataDir } = await openFrontDoor({ certificatePollMs: 60_000 });
  await installPair(dataDir, first);
  await vi.waitFor(async () => expect(await shownBy(door.httpsPort)).toBe(fingerprint(first)));
  expect(door.listeners().at(-1)).toMatchObject({ ready: true, note: '' });
  await installPair(dataDir, rsa);
  await vi.waitFor(async () => expect(await shownBy(door.httpsPort)).toBe(fingerprint(rsa)));
  await installPair(dataDir, second);
  await vi.waitFor(async () => expect(await shownBy(door.httpsPort)).toBe(fingerprint(second)));
});

test('finds a changed certificate by polling when the file system reports no change', async () => {
  const elsewhere = await temporaryDirectory();
  await installPair(elsewhere, first);
  const dataDir = await temporaryDirectory();
  await mkdir(join(dataDir, 'config'));
  for (const name of ['nginx.key', 'nginx.crt'])
    await symlink(join(elsewhere, 'config', name), join(dataDir, 'config', name));
  const { door } = await openFrontDoor({ certificatePollMs: 50, config: { dataDir } });
  expect(await shownBy(door.httpsPort)).toBe(fingerprint(first));
  await installPair(elsewhere, second);
  await vi.waitFor(async () => expect(await shownBy(door.httpsPort)).toBe(fingerprint(second)));
});

test('ignores a bad certificate with one warning and keeps the good one', async () => {
  const log = createLog('engine', 'error');
  const warn = vi.spyOn(log, 'warn');
  const { door, dataDir } = await openFrontDoor({ certificatePollMs: 20, log });
  await installPair(dataDir, first);
  await vi.waitFor(async () => expect(await shownBy(door.httpsPort)).toBe(fingerprint(first)));
  warn.mockClear();
  const bad = [
    { key: 'nonsense', cert: 'nonsense' },
    { key: second.key, cert: first.cert },
    { key: rsa.key, cert: first.cert },
  ];
  const directory = join(dataDir, 'config');
  for (const [index, pair] of bad.entries()) {
    // Both files at once, so that each bad pair is one thing to warn about.
    const next = join(dataDir, `next-${index}`);
    await cp(directory, next, { recursive: true });
    await writeFile(join(next, 'nginx.key'), pair.key);
    await writeFile(join(next, 'nginx.crt'), pair.cert);
    await rename(directory, `${next}-old`);
    await rename(next, directory);
    await vi.waitFor(() => expect(warn).toHaveBeenCalledTimes(index + 1));
    expect(await shownBy(door.httpsPort)).toBe(fingerprint(first));
  }
  await rm(join(directory, 'nginx.key'));
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(await shownBy(door.httpsPort)).toBe(fingerprint(first));
  expect(warn).toHaveBeenCalledTimes(bad.length);
});

test('accepts TLS 1.2 and newer only, and tells the control plane that the client uses HTTPS', async () => {
  const dataDir = await temporaryDirectory();
  await installPair(dataDir, first);
  const { door } = await openFrontDoor({ config: { dataDir } });
  expect(await shownBy(door.httpsPort, { maxVersion: 'TLSv1.2' })).toBe(fingerprint(first));
  const old = { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' };
  expect(await shownBy(door.httpsPort, old)).toMatch(/^(ERR_SSL_|EPROTO)/);

  const secure = await openFrontDoor({ config: { dataDir: await installed(first) } }, (req, res) =>
    res.end(`${req.headers['x-forwarded-proto']} ${req.headers['x-weir-peer']}`),
  );
  const body = await new Promise<string>((resolve, reject) => {
    const options = { host: '127.0.0.1', port: secure.door.httpsPort, path: '/api/a', rejectUnauthorized: false };
    request({ ...options, agent: false }, async (res) => resolve((await res.toArray()).join('')))
      .once('error', reject)
      .end();
  });
  expect(body).toBe('https direct');
});

async function installed(pair: Pair): Promise<string> {
  const directory = await temporaryDirectory();
  await installPair(directory, pair);
  return directory;
}

test('lets the client choose the cipher and resume its session', async () => {
  const { door, dataDir } = await openFrontDoor();
  await installPair(dataDir, first);
  await vi.waitFor(async () => expect(await shownBy(door.httpsPort)).toBe(fingerprint(first)));
  const shake = async (options: ConnectionOptions) => {
    const socket = connect({ host: '127.0.0.1', port: door.httpsPort, rejectUnauthorized: false, ...options });
    // With TLS 1.3 what shortens the next handshake arrives after this one.
    const session = options.session ? undefined : once(socket, 'session');
    await once(socket.resume(), 'secureConnect');
    const [given] = (await session) ?? [];
    const seen = { cipher: socket.getCipher().name, isReused: socket.isSessionReused(), session: given };
    socket.destroy();
    return seen;
  };
  const [aes128, aes256, chacha] = ['TLS_AES_128_GCM_SHA256', 'TLS_AES_256_GCM_SHA384', 'TLS_CHACHA20_POLY1305_SHA256'];
  for (const wished of [aes128, aes256, chacha]) {
    const ciphers = [wished, ...[aes256, chacha, aes128].filter((name) => name !== wished)].join(':');
    expect((await shake({ ciphers })).cipher).toBe(wished);
  }
  const { session, isReused } = await shake({});
  expect([isReused, (await shake({ session })).isReused]).toEqual([false, true]);
});
