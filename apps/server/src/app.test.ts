import { endpoints } from '@weir/contract';
import { describe, expect, it } from 'vitest';
import { bearer, mgmt, open, openReady } from './app.session.fixture.ts';
import { MemoryStore } from './core/store/memory-store.ts';

describe('the response envelope', () => {
  it('answers {code, data, server} to any method, with or without a body', async () => {
    const { inject } = await open();
    for (const method of ['GET', 'POST', 'PUT', 'DELETE', 'PATCH'] as const) {
      const response = await inject({ method, url: `${mgmt}/versions` });
      expect(response.json()).toEqual({ code: 0, data: { version: '1.2.3' }, server: expect.any(Number) });
      expect(response.headers['content-type']).toBe('application/json');
    }
  });

  it('reads parameters of every method', async () => {
    const { inject, session } = await openReady();
    const headers = { authorization: `Bearer ${session.bearer}`, 'content-type': 'text/plain' };
    for (const method of ['GET', 'PUT', 'DELETE'] as const) {
      const payload = JSON.stringify({ beian: 'title', text: method });
      expect((await inject({ method, url: `${mgmt}/beian/update?x=1`, headers, payload })).json().code).toBe(0);
      expect((await inject({ url: `${mgmt}/beian/query` })).json().data.title).toBe(method);
    }
  });

  it('serves all five version paths', async () => {
    const { post } = await open();
    for (const area of ['mgmt', 'host', 'ffmpeg', 'hooks', 'tencent']) {
      expect((await post(`/terraform/v1/${area}/versions`)).data).toEqual({ version: '1.2.3' });
    }
  });

  it('writes angle brackets and ampersands escaped', async () => {
    const { inject, post, session } = await openReady();
    await post(`${mgmt}/beian/update`, { beian: 'title', text: '<img onerror=x> & co' }, bearer(session.bearer));
    const { body } = await inject({ url: `${mgmt}/beian/query` });
    expect(body).not.toMatch(/[<>&]/);
    expect(JSON.parse(body).data.title).toBe('<img onerror=x> & co');
  });

  it('has no process id in `server`', async () => {
    const { post } = await open();
    expect((await post(`${mgmt}/versions`)).server).not.toBe(process.pid);
  });
});

describe('invalid input', () => {
  it('is named in the error, and changes nothing', async () => {
    const { inject, post, session } = await openReady();
    const auth = bearer(session.bearer);
    const update = (payload: string) =>
      inject({ method: 'POST', url: `${mgmt}/beian/update`, payload, headers: auth }).then((response) => ({
        status: response.statusCode,
        ...response.json(),
      }));
    expect(await update('{"beian":')).toMatchObject({ status: 422, code: 1004 });
    expect(await update('{"beian":"title","text":7}')).toMatchObject({
      status: 422,
      code: 1004,
      data: { message: 'text: must be of type string' },
    });
    expect(await update('{"beian":"title"}')).toMatchObject({ status: 422, code: 1000 });
    expect(await update('{"beian":"script","text":"x"}')).toMatchObject({ status: 422, code: 1004 });
    expect(await update(JSON.stringify({ beian: 'title', text: 'x'.repeat(1024 * 1024) }))).toMatchObject({
      status: 413,
      code: 1004,
    });
    expect((await post(`${mgmt}/beian/query`)).data).toEqual({});
  });

  it('for an unknown path is answered with a JSON 404', async () => {
    const { post } = await open();
    for (const path of [`${mgmt}/nothing`, '/terraform/v1/', '/.well-known/x', '/tools/x.html', '/players/x.html']) {
      expect(await post(path)).toMatchObject({ status: 404, code: 1003 });
    }
  });

  it('is never repeated in an error text', async () => {
    const { inject } = await open();
    const marker = 'do-not-repeat-me';
    for (const payload of [`{"password":"${marker}`, `{"password":{"x":"${marker}"}}`, `{"password":"${marker}"}`]) {
      const { body } = await inject({ method: 'POST', url: `${mgmt}/login`, payload });
      expect(body).not.toContain(marker);
    }
  });
});

describe('a failing store', () => {
  it('is answered with 1007 by calls that need it, and is a finding of the status', async () => {
    const store = new MemoryStore();
    const { post, session } = await openReady({ store });
    store.isBroken = true;
    for (const path of ['check', 'lead', 'init', 'login', 'beian/query', 'status']) {
      expect(await post(`${mgmt}/${path}`, { password: 'the password' }, bearer(session.bearer))).toMatchObject({
        status: 500,
        code: 1007,
      });
    }
    expect((await post(`${mgmt}/versions`)).status).toBe(200);
    store.isBroken = false;
    expect((await post(`${mgmt}/check`)).data).toEqual({ upgrading: false, init: true });
    expect(await post(`${mgmt}/lead`)).toMatchObject({ status: 200, code: 0, data: null });
  });
});

describe('the system endpoints', () => {
  it('report versions, uptime and health', async () => {
    const { post, session } = await openReady();
    const { data } = await post(`${mgmt}/status`, {}, bearer(session.bearer));
    expect(data).toMatchObject({
      version: 'v1.2.3',
      stable: 'v1.2.3',
      latest: 'v1.2.3',
      releases: { version: 'v1.2.3', stable: 'v1.2.3', latest: 'v1.2.3' },
      upgrading: false,
      strategy: 'manual',
      health: { store: { ok: true }, engine: { ok: false, listeners: [] }, certificate: null },
      alerts: [],
    });
    expect(data.health.disk.totalBytes).toBeGreaterThan(0);
  });

  it('report the published ports and limits', async () => {
    const { post } = await open({ env: { RTMP_PORT: '11935', CANDIDATE: '192.0.2.1', SRS_FORWARD_LIMIT: '3' } });
    expect((await post(`${mgmt}/envs`, { locale: 'fr' })).data).toEqual({
      mgmtDocker: true,
      platformDocker: false,
      candidate: true,
      rtmpPort: '11935',
      httpPort: '',
      httpsPort: '2443',
      srtPort: '10080',
      rtcPort: '8000',
      forwardLimit: 3,
      vLiveLimit: 10,
      cameraLimit: 10,
    });
  });

  it('keep site texts as they are typed, and clear them on request', async () => {
    const { post, session } = await openReady();
    const set = (beian: string, text: string) => post(`${mgmt}/beian/update`, { beian, text }, bearer(session.bearer));
    expect((await set('title', 'My Site')).data).toBeNull();
    await set('icp', 'ICP 1');
    expect((await post(`${mgmt}/beian/query`)).data).toEqual({ title: 'My Site', icp: 'ICP 1' });
    await set('icp', '');
    expect((await post(`${mgmt}/beian/query`)).data).toEqual({ title: 'My Site', icp: '' });
  });

  it('describe every endpoint in the OpenAPI document', async () => {
    const { inject } = await open();
    const document = (await inject({ url: '/terraform/v1/openapi.json' })).json();
    for (const { path, method } of endpoints) expect(document.paths[path][method.toLowerCase()].summary).toBeTruthy();
  });
});

describe('the media server API', () => {
  it('needs a credential except for versions, and answers 502 while the engine is away', async () => {
    const { inject, session } = await openReady();
    expect((await inject({ url: '/api/v1/versions' })).statusCode).toBe(502);
    for (const path of ['/api/v1/streams', '/api/v1/versions/', '/api/v1/clients/1', '/api/']) {
      expect((await inject({ url: path })).json()).toMatchObject({ code: 2001 });
      expect((await inject({ method: 'DELETE', url: `${path}?token=forged` })).statusCode).toBe(401);
    }
    expect((await inject({ url: `/api/v1/streams?token=${session.token}` })).statusCode).toBe(502);
  });
});
