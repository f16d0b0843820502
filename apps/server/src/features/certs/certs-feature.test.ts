import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { keyMask } from '@weir/contract';
import { describe, expect, it } from 'vitest';
import { createReadyApp } from '../../app.ready.fixture.ts';
import { MemoryStore } from '../../core/store/memory-store.ts';
import { PairFiles } from './pair-files.ts';
import { makePair } from './pem-pair.fixture.ts';

const first = makePair();
const second = makePair({ name: 'other.example.com' });

async function open(options: Parameters<typeof createReadyApp>[0] = {}) {
  const server = await createReadyApp(options);
  const directory = join(server.dataDir, 'config');
  return { ...server, directory, file: (name: string) => readFileSync(join(directory, name), 'utf8') };
}

describe('an uploaded certificate', () => {
  it('does not exist on a new server', async () => {
    const { call } = await open();
    expect((await call('mgmt/cert/query')).data).toEqual({ provider: '', domain: '', key: '', crt: '' });
    expect((await call('mgmt/cert/status')).data).toMatchObject({
      certificate: null,
      order: { state: 'none' },
      renewAt: null,
    });
  });

  it('is stored byte for byte, for the owner only, and is returned without its key', async () => {
    const { call, directory, file } = await open();
    expect(await call('mgmt/ssl', first)).toMatchObject({ code: 0, data: null });
    expect([file('nginx.key'), file('nginx.crt')]).toEqual([first.key, first.crt]);
    for (const name of readdirSync(directory)) expect(statSync(join(directory, name)).mode & 0o777).toBe(0o600);
    expect((await call('mgmt/cert/query')).data).toEqual({ provider: 'ssl', domain: '', key: keyMask, crt: first.crt });
    expect((await call('mgmt/cert/status')).data).toMatchObject({
      provider: 'ssl',
      certificate: { names: ['live.example.com'], selfSigned: true },
    });
  });

  it('is trimmed and ends with one line feed', async () => {
    const { call, file } = await open();
    await call('mgmt/ssl', { key: `\n ${first.key}\n\n`, crt: first.crt.trim() });
    expect([file('nginx.key'), file('nginx.crt')]).toEqual([first.key, first.crt]);
  });

  it('keeps the key in use when its mask is sent back', async () => {
    const { call, file } = await open();
    expect(await call('mgmt/ssl', { key: keyMask, crt: first.crt })).toMatchObject({ status: 422, code: 1002 });
    await call('mgmt/ssl', first);
    expect(await call('mgmt/ssl', { key: keyMask, crt: first.crt })).toMatchObject({ code: 0 });
    expect(await call('mgmt/ssl', { key: keyMask, crt: second.crt })).toMatchObject({ status: 422, code: 1002 });
    expect([file('nginx.key'), file('nginx.crt')]).toEqual([first.key, first.crt]);
  });

  it.each([
    [{ key: second.key, crt: first.crt }, 422, 1002],
    [{ key: 'x', crt: first.crt }, 422, 1002],
    [{ key: '', crt: first.crt }, 422, 1000],
    [{ key: first.key, crt: ' \n' }, 422, 1004],
    [{ key: first.key }, 422, 1000],
    [{ key: first.key, crt: 'x'.repeat(70_000) }, 422, 1004],
  ])('that is invalid does not replace the old one (%#)', async (bad, status, code) => {
    const { call, file } = await open();
    await call('mgmt/ssl', second);
    const answer = await call('mgmt/ssl', bad);
    expect(answer).toMatchObject({ status, code });
    expect(JSON.stringify(answer)).not.toContain(second.key.slice(40, 60));
    expect([file('nginx.key'), file('nginx.crt')]).toEqual([second.key, second.crt]);
  });

  it('is read from the files, also when the owner put them there', async () => {
    const { call, directory } = await open();
    await new PairFiles(directory).install(first);
    expect((await call('mgmt/cert/query')).data).toMatchObject({ provider: 'ssl', crt: first.crt });
    rmSync(directory, { recursive: true });
    expect((await call('mgmt/cert/query')).data.provider).toBe('');
  });
});

it('a certificate is not accepted, ordered or created where HTTPS is managed elsewhere', async () => {
  const { call } = await open({ env: { SRS_HTTPS: 'off', AUTO_SELF_SIGNED_CERTIFICATE: 'on' } });
  const refused = { status: 500, code: 3001 };
  expect(await call('mgmt/ssl', first)).toMatchObject(refused);
  expect(await call('mgmt/letsencrypt', { domain: 'live.example.com' })).toMatchObject(refused);
  expect(await call('mgmt/auto-self-signed-certificate')).toMatchObject(refused);
  expect((await call('mgmt/cert/status')).data).toMatchObject({ elsewhere: true, certificate: null });
});

describe('an interrupted change of the certificate', () => {
  it('is completed when the certificate was already in its place', async () => {
    const { directory, file, call } = await open();
    await call('mgmt/ssl', first);
    writeFileSync(join(directory, 'nginx.crt'), second.crt);
    writeFileSync(join(directory, 'nginx.key.new'), second.key);
    await new PairFiles(directory).recover();
    expect([file('nginx.key'), file('nginx.crt')]).toEqual([second.key, second.crt]);
  });

  it('is undone when it was not', async () => {
    const { directory, file, call } = await open();
    await call('mgmt/ssl', first);
    writeFileSync(join(directory, 'nginx.crt.new'), second.crt);
    writeFileSync(join(directory, 'nginx.key.new'), second.key.slice(0, 50));
    await new PairFiles(directory).recover();
    expect([file('nginx.key'), file('nginx.crt')]).toEqual([first.key, first.crt]);
    expect(readdirSync(directory).sort()).toEqual(['nginx.crt', 'nginx.key']);
  });
});

describe('a self-signed certificate', () => {
  it('is created at the start of a server that has none', async () => {
    const { call } = await open({ env: { AUTO_SELF_SIGNED_CERTIFICATE: 'on' } });
    expect((await call('mgmt/cert/status')).data).toMatchObject({ provider: 'ssl', certificate: { selfSigned: true } });
  });

  it('is created on demand, and never replaces anything', async () => {
    const { call } = await open();
    await call('mgmt/auto-self-signed-certificate');
    const made = (await call('mgmt/cert/query')).data;
    expect(made.crt).toMatch(/^-----BEGIN CERTIFICATE-----/);
    await call('mgmt/auto-self-signed-certificate');
    expect((await call('mgmt/cert/query')).data).toEqual(made);
  });
});

describe("a certificate from Let's Encrypt", () => {
  const nobody = { WEIR_ACME_DIRECTORY: 'https://127.0.0.1:1/dir' };

  it.each([
    '',
    ' ',
    'localhost',
    '127.0.0.1',
    '-a.example.com',
    'a..com',
    'a.toolong',
    'a.com/x',
    `${'a.'.repeat(126)}co`,
  ])('is not ordered for "%s"', async (domain) => {
    const { call } = await open({ env: nobody });
    expect((await call('mgmt/letsencrypt', { domain })).status).toBe(422);
    expect((await call('mgmt/cert/status')).data.order.state).toBe('none');
  });

  it('does not replace the old one when the authority cannot be reached, and reports why, also after a restart', async () => {
    const store = new MemoryStore();
    const { call } = await open({ store, env: nobody });
    await call('mgmt/ssl', first);
    const answer = await call('mgmt/letsencrypt', { domain: ' Live.Example.com ' });
    expect(answer).toMatchObject({ status: 500, code: 1002 });
    expect(answer.data.message).toContain('ECONNREFUSED');
    expect((await call('mgmt/cert/query')).data).toMatchObject({ provider: 'ssl', crt: first.crt });
    const again = await open({ store, env: nobody });
    expect((await again.call('mgmt/cert/status')).data.order).toMatchObject({
      state: 'failed',
      domain: 'live.example.com',
      reason: expect.stringContaining('ECONNREFUSED'),
      fault: 'unreachable',
    });
    await again.call('mgmt/ssl', first);
    expect((await again.call('mgmt/cert/status')).data.order.state).toBe('none');
  });

  it('has its challenges answered from memory only', async () => {
    const { inject } = await open();
    const get = async (url: string, method: 'GET' | 'POST' = 'GET') => (await inject({ method, url })).statusCode;
    expect(await get('/.well-known/acme-challenge/nothing')).toBe(404);
    expect(await get('/.well-known/acme-challenge/nothing', 'POST')).toBe(405);
    expect(await get('/.well-known/nginx.key')).toBe(404);
    expect(await get('/.well-known/acme-challenge/..%2F..%2Fconfig%2Fnginx.key')).toBe(404);
  });
});
