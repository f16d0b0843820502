import { execFile } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ConnectionOptions, connect } from 'node:tls';
import { promisify } from 'node:util';
import { createLog } from '@weir/plane';
import { beforeAll, expect, test, vi } from 'vitest';
import { openFrontDoor, temporaryDirectory } from './front-door.fixture.ts';

interface Pair {
  readonly key: string;
  readonly cert: string;
}

const run = promisify(execFile);
let first: Pair;
let second: Pair;
let rsa: Pair;

async function makePair(keyOptions: string[]): Promise<Pair> {
  const directory = await mkdtemp(join(tmpdir(), 'weir-pair-'));
  const [keyPath, certPath] = [join(directory, 'key'), join(directory, 'crt')];
  const files = ['-keyout', keyPath, '-out', certPath];
  await run('openssl', [
    'req',
    '-x509',
    '-nodes',
    '-days',
    '2',
    '-subj',
    '/CN=test',
    '-newkey',
    ...keyOptions,
    ...files,
  ]);
  const [key, cert] = await Promise.all([readFile(keyPath, 'utf8'), readFile(certPath, 'utf8')]);
  await rm(directory, { recursive: true });
  return { key, cert };
}

beforeAll(async () => {
  const ec = ['ec', '-pkeyopt', 'ec_paramgen_curve:P-256'];
  [first, second, rsa] = await Promise.all([makePair(ec), makePair(ec), makePair(['rsa:2048'])]);
});

/** As the control plane writes it: into a temporary file, then in place. */
async function install(dataDir: string, { key, cert }: Pair): Promise<void> {
  const directory = join(dataDir, 'config');
  await mkdir(directory, { recursive: true });
  for (const [name, text] of [
    ['nginx.key', key],
    ['nginx.crt', cert],
  ] as const) {
    await writeFile(join(directory, `${name}.new`), text);
    await rename(join(directory, `${name}.new`), join(directory, name));
  }
}

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

test('without a pair the port listens, the handshake fails cleanly and the listener says why', async () => {
  const { door } = await openFrontDoor();
  expect(await shownBy(door.httpsPort)).toMatch(/^(ERR_SSL_|EPROTO)/);
  expect(door.listeners().at(-1)).toEqual({
    protocol: 'https',
    port: door.httpsPort,
    ready: false,
    note: 'no-certificate',
  });
});

test('a pair that appears or changes is used from the next handshake on', async () => {
  const { door, dataDir } = await openFrontDoor({ certificatePollMs: 60_000 });
  await install(dataDir, first);
  await vi.waitFor(async () => expect(await shownBy(door.httpsPort)).toBe(fingerprint(first)), { timeout: 5000 });
  expect(door.listeners().at(-1)).toMatchObject({ ready: true, note: '' });
  await install(dataDir, rsa);
  await vi.waitFor(async () => expect(await shownBy(door.httpsPort)).toBe(fingerprint(rsa)), { timeout: 5000 });
  await install(dataDir, second);
  await vi.waitFor(async () => expect(await shownBy(door.httpsPort)).toBe(fingerprint(second)), { timeout: 5000 });
});

test('a change that nobody reports is found by looking', async () => {
  const elsewhere = await temporaryDirectory();
  await install(elsewhere, first);
  const dataDir = await temporaryDirectory();
  await mkdir(join(dataDir, 'config'));
  for (const name of ['nginx.key', 'nginx.crt'])
    await symlink(join(elsewhere, 'config', name), join(dataDir, 'config', name));
  const { door } = await openFrontDoor({ certificatePollMs: 50, config: { dataDir } });
  expect(await shownBy(door.httpsPort)).toBe(fingerprint(first));
  await install(elsewhere, second);
  await vi.waitFor(async () => expect(await shownBy(door.httpsPort)).toBe(fingerprint(second)), { timeout: 5000 });
});

test('a bad pair is ignored with one warning, and the good one stays', async () => {
  const log = createLog('engine', 'error');
  const warn = vi.spyOn(log, 'warn');
  const { door, dataDir } = await openFrontDoor({ certificatePollMs: 20, log });
  await install(dataDir, first);
  await vi.waitFor(async () => expect(await shownBy(door.httpsPort)).toBe(fingerprint(first)), { timeout: 5000 });
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

test('speaks TLS 1.2 and newer only, and tells the control plane that the client came by HTTPS', async () => {
  const dataDir = await temporaryDirectory();
  await install(dataDir, first);
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
  await install(directory, pair);
  return directory;
}

test('the client chooses the cipher, and comes again without a whole handshake', async () => {
  const { door, dataDir } = await openFrontDoor();
  await install(dataDir, first);
  await vi.waitFor(async () => expect(await shownBy(door.httpsPort)).toBe(fingerprint(first)), { timeout: 5000 });
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
