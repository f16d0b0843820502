import { stat, writeFile } from 'node:fs/promises';
import { type IncomingMessage, request } from 'node:http';
import { join } from 'node:path';
import { engineApi } from '@weir/engine-api';
import { StartError } from '@weir/plane';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryDirectory } from '../front-door/front-door.fixture.ts';
import { createIdentity } from './identity.ts';
import { PrivateApi } from './private-api.ts';

const listeners = [{ protocol: 'http', port: 2022, ready: true, note: '' } as const];

async function openApi(socketPath?: string) {
  const path = socketPath ?? join(await temporaryDirectory(), 'engine.sock');
  const api = new PrivateApi({
    socketPath: path,
    version: '1.2.3',
    identity: createIdentity(),
    health: () => ({ listeners, srtVersion: '', workerExits: [] }),
  });
  await api.open();
  onTestFinished(() => api.close());
  return { api, path };
}

async function sendRequest(socketPath: string, path: string, method = 'GET') {
  const res = await new Promise<IncomingMessage>((resolve, reject) => {
    request({ socketPath, path, method, agent: false }, resolve).once('error', reject).end();
  });
  return { status: res.statusCode, type: res.headers['content-type'], text: (await res.toArray()).join('') };
}

test('reports versions in the format of SRS, without the real process ID', async () => {
  const { path } = await openApi();
  const { status, type, text } = await sendRequest(path, '/api/v1/versions');
  const body = JSON.parse(text);
  expect([status, type]).toEqual([200, 'application/json']);
  expect(body).toEqual({
    code: 0,
    server: expect.stringMatching(/^vid-[a-z0-9]{7}$/),
    service: expect.stringMatching(/^[a-z0-9]{8}$/),
    pid: expect.stringMatching(/^\d+$/),
    data: { major: 5, minor: 0, revision: 213, version: '5.0.213', weir: '1.2.3' },
  });
  expect(body.pid).not.toBe(String(process.pid));
  expect(JSON.parse((await sendRequest(path, '/api/v1/versions')).text)).toEqual(body);
  const other = await openApi();
  expect(JSON.parse((await sendRequest(other.path, '/api/v1/versions')).text).server).not.toBe(body.server);
});

test('answers JSONP only with a harmless callback name', async () => {
  const { path } = await openApi();
  const { type, text } = await sendRequest(path, '/api/v1/versions?callback=jQuery.cb_1$');
  expect(type).toBe('application/javascript');
  expect(text).toMatch(/^\/\*\*\/jQuery\.cb_1\$\(\{"code":0,.*\}\)$/);
  for (const name of ['', 'alert(1)//', '%3Cscript%3E', 'a%0Ab', 'x'.repeat(129)])
    expect(await sendRequest(path, `/api/v1/versions?callback=${name}`)).toMatchObject({
      status: 400,
      type: 'application/json',
    });
});

test('reports its health and refuses unknown calls', async () => {
  const { path } = await openApi();
  expect(JSON.parse((await sendRequest(path, '/weir/v1/health')).text)).toEqual({
    code: 0,
    data: { startedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/), listeners, srtVersion: '', workerExits: [] },
  });
  const missing = await sendRequest(path, '/api/v1/nothing');
  expect(missing).toMatchObject({ status: 404, type: 'application/json' });
  expect(JSON.parse(missing.text)).toMatchObject({ code: 404, server: expect.any(String), pid: expect.any(String) });
  expect(await sendRequest(path, '/api/v1/versions', 'POST')).toMatchObject({ status: 200 });
  expect(await sendRequest(path, '/api/v1/versions', 'PUT')).toMatchObject({ status: 405 });
});

test('makes its socket accessible to this user only and removes it on close', async () => {
  const { api, path } = await openApi();
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  await Promise.all([api.close(), api.close()]);
  await expect(stat(path)).rejects.toThrow('ENOENT');
});

test('replaces a stale socket, but never one that a process listens on', async () => {
  const path = join(await temporaryDirectory(), 'engine.sock');
  await writeFile(path, 'left behind');
  await openApi(path);
  const second = openApi(path);
  await expect(second).rejects.toThrow(StartError);
  await expect(second).rejects.toThrow('Another Weir is already running on this data directory');
  expect(await sendRequest(path, '/weir/v1/health')).toMatchObject({ status: 200 });
});

test('names the setting to check when the socket cannot be created', async () => {
  const path = join(await temporaryDirectory(), 'missing', 'engine.sock');
  await expect(openApi(path)).rejects.toThrow(/WEIR_DATA/);
});

test('names the malformed field of a call, and survives a fault in one', async () => {
  const { api, path } = await openApi();
  api.serve(engineApi.samples.recent, ({ since }) => {
    if (since === 7) throw new Error('a fault');
    return undefined;
  });
  const message = async (query: string) =>
    JSON.parse((await sendRequest(path, `${engineApi.samples.recent.path}${query}`)).text).data.message;
  expect(await message('?since=x')).toBe('since: must be a moment in milliseconds');
  expect(await message('')).toBe('since is required');
  expect(await message('?since=7')).toBe('a fault');
  expect(await message('?since=8')).toBe('Not Found');
  expect(await sendRequest(path, '/weir/v1/health')).toMatchObject({ status: 200 });
});
