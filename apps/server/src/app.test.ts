import { endpoints } from '@weir/contract';
import { base64url, SignJWT } from 'jose';
import { afterEach, describe, expect, it } from 'vitest';
import { createTestApp } from './app.fixture.ts';
import { systemClock } from './core/clock.ts';
import { MemoryStore } from './core/store/memory-store.ts';

const mgmt = '/terraform/v1/mgmt';
const stranger = { 'x-forwarded-for': '203.0.113.9', 'x-forwarded-host': 'live.example.com' };
const bearer = (credential: string) => ({ authorization: `Bearer ${credential}` });

let opened: { close(): Promise<void> }[] = [];
async function open(options: Parameters<typeof createTestApp>[0] = {}) {
  const app = await createTestApp(options);
  opened.push(app);
  return app;
}
/** A server with a password, and a signed-in administrator. */
async function openReady(options: Parameters<typeof createTestApp>[0] = {}) {
  const app = await open(options);
  return { ...app, session: await app.setUp() };
}
afterEach(async () => {
  await Promise.all(opened.map((app) => app.close()));
  opened = [];
});

describe('the envelope', () => {
  it('answers {code, data, server} to any method, with or without a body', async () => {
    const { inject } = await open();
    for (const method of ['GET', 'POST', 'PUT', 'DELETE', 'PATCH'] as const) {
      const response = await inject({ method, url: `${mgmt}/versions` });
      expect(response.json()).toEqual({ code: 0, data: { version: '1.2.3' }, server: expect.any(Number) });
      expect(response.headers['content-type']).toBe('application/json');
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

  it('gives `server` no process id', async () => {
    const { post } = await open();
    expect((await post(`${mgmt}/versions`)).server).not.toBe(process.pid);
  });
});

describe('bad input', () => {
  it('is named, and changes nothing', async () => {
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

  it('at an unknown path is a JSON 404', async () => {
    const { post } = await open();
    for (const path of [`${mgmt}/nothing`, '/terraform/v1/', '/.well-known/x', '/tools/x.html', '/players/x.html']) {
      expect(await post(path)).toMatchObject({ status: 404, code: 1003 });
    }
  });

  it('never comes back in an error text', async () => {
    const { inject } = await open();
    const marker = 'do-not-repeat-me';
    for (const payload of [`{"password":"${marker}`, `{"password":{"x":"${marker}"}}`, `{"password":"${marker}"}`]) {
      const { body } = await inject({ method: 'POST', url: `${mgmt}/login`, payload });
      expect(body).not.toContain(marker);
    }
  });
});

describe('set-up', () => {
  it('asks and sets by one path, and signs in', async () => {
    const { app, inject, post } = await open();
    expect((await inject({ url: `${mgmt}/init` })).json().data).toEqual({ init: false });
    expect((await post(`${mgmt}/init`, { password: '' })).data).toEqual({ init: false });
    const answer = await post(`${mgmt}/init`, { password: 'the password', code: await app.setupCode() });
    expect(answer.data).toEqual({
      token: expect.any(String),
      bearer: expect.any(String),
      createAt: expect.stringMatching(/Z$/),
      expireAt: expect.stringMatching(/Z$/),
    });
    expect(Date.parse(answer.data.expireAt) - Date.parse(answer.data.createAt)).toBe(30 * 24 * 3600_000);
    expect((await post(`${mgmt}/check`)).data).toEqual({ upgrading: false, init: true });
    expect((await post(`${mgmt}/status`, {}, bearer(answer.data.bearer))).status).toBe(200);
  });

  it('S01: has one winner of a race, and refuses everybody afterwards', async () => {
    const { app, post } = await open();
    const code = await app.setupCode();
    const passwords = ['password a', 'password b', 'password c'];
    const answers = await Promise.all(passwords.map((password) => post(`${mgmt}/init`, { password, code })));
    const winners = passwords.filter((_password, index) => answers[index]?.status === 200);
    expect(winners).toHaveLength(1);
    expect(answers.filter(({ status, code }) => status === 422 && code === 1004)).toHaveLength(2);
    expect(await post(`${mgmt}/init`, { password: 'too late', code })).toMatchObject({ status: 422, code: 1004 });
    expect((await post(`${mgmt}/login`, { password: winners[0] })).status).toBe(200);
    expect((await post(`${mgmt}/login`, { password: 'too late' })).code).toBe(2000);
  });

  it('S01: needs the code of the log from whoever is not proved to be a program on this machine', async () => {
    const { app, post } = await open();
    const code = await app.setupCode();
    expect(code).toMatch(/^[0-9a-f]{20}$/);
    const from: Record<string, Record<string, string>> = {
      'another machine': stranger,
      'a proxy on this machine': { 'x-weir-peer': 'proxied' },
      'a name that only resolves to this machine': { 'x-forwarded-host': 'evil.example.com' },
      "somebody else's page in a browser here": { origin: 'https://evil.example.com' },
      'a sandboxed page': { origin: 'null' },
      'our own page': { origin: 'http://localhost:2022' },
      'a loopback address that nobody speaks from': { 'x-weir-connection': '[127.0.0.1]:1 [127.0.0.1]:2022' },
    };
    for (const headers of Object.values(from)) {
      for (const wrong of ['', 'wrong']) {
        expect(await post(`${mgmt}/init`, { password: 'my password', code: wrong }, headers)).toMatchObject({
          status: 403,
          code: 2000,
        });
      }
    }
    expect((await post(`${mgmt}/init`)).data).toEqual({ init: false });
    expect((await post(`${mgmt}/init`, { password: 'my password', code }, stranger)).status).toBe(200);
    expect(await app.setupCode()).toBeUndefined();
  });

  it('takes no password of fewer than eight characters, at set-up or later', async () => {
    const { app, post, setUp } = await open();
    const code = await app.setupCode();
    for (const password of ['1', '1234567', 'x'.repeat(1025)]) {
      expect(await post(`${mgmt}/init`, { password, code })).toMatchObject({ status: 422, code: 1004 });
    }
    expect((await post(`${mgmt}/init`)).data).toEqual({ init: false });
    const session = await setUp('eightlet');
    const change = (newPassword: string) =>
      post(`${mgmt}/password/update`, { password: 'eightlet', newPassword }, bearer(session.bearer));
    expect(await change('1234567')).toMatchObject({ status: 422, code: 1004 });
    expect((await post(`${mgmt}/login`, { password: 'eightlet' })).status).toBe(200);
  });

  it('lets a short password of before sign in', async () => {
    const { post } = await open({ env: { MGMT_PASSWORD: 'short' } });
    const { data: session } = await post(`${mgmt}/login`, { password: 'short' });
    const passwords = { password: 'short', newPassword: 'long enough' };
    expect((await post(`${mgmt}/password/update`, passwords, bearer(session.bearer))).status).toBe(200);
  });

  it('takes the password of a new server from the environment, and only then', async () => {
    const store = new MemoryStore();
    const first = await open({ store, env: { MGMT_PASSWORD: 'from-env' } });
    expect((await first.post(`${mgmt}/init`)).data).toEqual({ init: true });
    expect((await first.post(`${mgmt}/login`, { password: 'from-env' })).status).toBe(200);
    const second = await open({ store, env: { MGMT_PASSWORD: 'another' } });
    expect((await second.post(`${mgmt}/login`, { password: 'another' })).code).toBe(2000);
  });
});

describe('sign-in', () => {
  it('answers each failure with its number', async () => {
    const { post, setUp } = await open();
    expect(await post(`${mgmt}/login`, { password: 'x' })).toMatchObject({ status: 401, code: 2002 });
    await setUp();
    expect(await post(`${mgmt}/login`, {})).toMatchObject({ status: 422, code: 1000 });
    expect(await post(`${mgmt}/login`, { password: 'wrong' })).toMatchObject({ status: 401, code: 2000 });
    expect(await post(`${mgmt}/login`, { password: 'the password' })).toMatchObject({ status: 200, code: 0 });
  });

  it('S02: throttles guesses, raises an alert, and lets the administrator in at once', async () => {
    const { post, session } = await openReady();
    const guess = (address: string) =>
      post(`${mgmt}/login`, { password: 'guess' }, { 'x-forwarded-for': address, 'x-weir-peer': 'direct' });
    const fromOne = await Promise.all(Array.from({ length: 500 }, () => guess('198.51.100.1')));
    expect(fromOne.filter(({ status }) => status === 401).length).toBeLessThanOrEqual(10);
    const refused = fromOne.filter(({ status }) => status === 429);
    expect(refused.length).toBeGreaterThanOrEqual(490);
    for (const { code, headers } of refused) {
      expect(code).toBe(2000);
      expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    }

    let answered = 0;
    const flood = Array.from({ length: 1000 }, (_, n) =>
      guess(`198.51.${n >> 8}.${n & 255}`).finally(() => (answered += 1)),
    );
    // A network that is new here is heard, and before those that came first.
    const signIn = await post(`${mgmt}/login`, { password: 'the password' }, { 'x-forwarded-for': '192.0.2.77' });
    expect(signIn.status).toBe(200);
    expect(answered).toBeLessThan(1000);
    await Promise.all(flood);
    const { data } = await post(`${mgmt}/status`, {}, bearer(session.bearer));
    expect(data.alerts).toMatchObject([{ kind: 'guessing', since: expect.any(String), count: expect.any(Number) }]);
  });

  it('tells the front door whose credential it accepted, and nobody else', async () => {
    const { post, session } = await openReady();
    const told = async (headers: Record<string, string>, path = 'token') =>
      (await post(`${mgmt}/${path}`, {}, headers)).headers['x-weir-accepted'];
    expect(await told(bearer(session.bearer))).toBe('1');
    expect(await told(bearer('forged'))).toBeUndefined();
    expect(await told(bearer('forged'), 'versions')).toBeUndefined();
  });

  it('takes the credential as bearer or as body token, and the API secret as bearer', async () => {
    const { post, session } = await openReady();
    const { data: secret } = await post(`${mgmt}/secret/query`, { token: session.token });
    expect(secret).toMatch(/^srs-v2-[0-9a-f]{32}$/);
    for (const credential of [session.bearer, session.token, secret]) {
      expect((await post(`${mgmt}/token`, {}, bearer(credential))).status).toBe(200);
    }
    expect((await post(`${mgmt}/token`, {}, { authorization: `bearer ${secret}` })).status).toBe(200);
    const { data } = await post(`${mgmt}/token`, { token: session.token });
    expect(Object.keys(data).sort()).toEqual(['createAt', 'expireAt', 'token']);
  });

  it('refuses an unusable header even beside a valid token', async () => {
    const { post, session } = await openReady();
    for (const authorization of ['', 'Bearer', `Bearer  ${session.bearer}`, `Basic ${session.bearer}`, 'Bearer x y']) {
      const answer = await post(`${mgmt}/token`, { token: session.token }, { authorization });
      expect(answer).toMatchObject({ status: 401, code: 2001 });
    }
  });

  it('takes the API secret from the environment when it is set there', async () => {
    const { post } = await openReady({ env: { SRS_PLATFORM_SECRET: 'srs-v1-from-the-outside' } });
    expect((await post(`${mgmt}/secret/query`, {}, bearer('srs-v1-from-the-outside'))).data).toBe(
      'srs-v1-from-the-outside',
    );
    expect((await post(`${mgmt}/secret/rotate`, {}, bearer('srs-v1-from-the-outside'))).code).toBe(1004);
  });
});

describe('ending a session', () => {
  it('by logout ends its tokens, old and refreshed, and no other session', async () => {
    const { post, session } = await openReady();
    const other = (await post(`${mgmt}/login`, { password: 'the password' })).data;
    const refreshed = (await post(`${mgmt}/token`, {}, bearer(session.bearer))).data.token;
    expect((await post(`${mgmt}/logout`, {}, bearer(session.bearer))).status).toBe(200);
    for (const token of [session.bearer, refreshed]) {
      expect(await post(`${mgmt}/status`, {}, bearer(token))).toMatchObject({ status: 401, code: 2001 });
    }
    expect((await post(`${mgmt}/status`, {}, bearer(other.bearer))).status).toBe(200);
  });

  it('everywhere, by password change and by secret rotation ends all but the one handed back', async () => {
    const { post, session } = await openReady();
    const status = async (credential: string) => (await post(`${mgmt}/status`, {}, bearer(credential))).status;

    await post(`${mgmt}/logout`, { all: true }, bearer(session.bearer));
    expect(await status(session.bearer)).toBe(401);

    const second = (await post(`${mgmt}/login`, { password: 'the password' })).data;
    const change = (password: string) =>
      post(`${mgmt}/password/update`, { password, newPassword: 'the next one' }, bearer(second.bearer));
    expect((await change('wrong')).code).toBe(2000);
    expect(await status(second.bearer)).toBe(200);
    const third = (await change('the password')).data;
    expect(await status(second.bearer)).toBe(401);
    expect(await status(third.bearer)).toBe(200);
    expect((await post(`${mgmt}/login`, { password: 'the password' })).code).toBe(2000);

    const { data: secret } = await post(`${mgmt}/secret/query`, {}, bearer(third.bearer));
    const rotated = (await post(`${mgmt}/secret/rotate`, {}, bearer(third.bearer))).data;
    expect(await status(third.bearer)).toBe(401);
    expect(await status(secret)).toBe(401);
    expect(await status(rotated.secret)).toBe(200);
    expect(await status(rotated.bearer)).toBe(200);
  });

  it('lasts across a restart', async () => {
    const { post, session, store } = await openReady();
    await post(`${mgmt}/logout`, {}, bearer(session.bearer));
    const again = await open({ store });
    expect((await again.post(`${mgmt}/status`, {}, bearer(session.bearer))).code).toBe(2001);
  });
});

describe('attacks on every protected call', () => {
  it('S03, S04: forged, foreign and missing credentials get 401/2001 and change nothing', async () => {
    const { post, inject, session } = await openReady();
    const { data: secret } = await post(`${mgmt}/secret/query`, {}, bearer(session.bearer));
    const [header = '', payload = '', signature = ''] = session.token.split('.');
    const claims = { v: '1.0', sid: 'x', jti: 'y' };
    const sign = (key: string, expires: string) =>
      new SignJWT(claims)
        .setProtectedHeader({ alg: 'HS256' })
        .setIssuedAt()
        .setExpirationTime(expires)
        .sign(new TextEncoder().encode(key.padEnd(32, '-')));
    const none = base64url.encode(JSON.stringify({ alg: 'none', typ: 'JWT' }));
    const credentials = [
      'nonsense',
      `${none}.${payload}.`,
      `${none}.${payload}.${signature}`,
      `${header}.${payload}.${signature.slice(0, -4)}AAAA`,
      `${header}.${base64url.encode(JSON.stringify(claims))}.${signature}`,
      await sign('another key', '30d'),
      await sign(secret, '30d'),
      `${secret}0`,
      secret.slice(0, -1),
      secret.toUpperCase(),
    ];
    const guarded = endpoints.filter(({ access }) => access === 'admin');
    expect(guarded.length).toBeGreaterThan(5);
    for (const { path } of guarded) {
      const attempts = [
        {},
        ...credentials.map((credential) => ({ headers: bearer(credential) })),
        ...credentials.map((token) => ({ payload: { token } })),
      ];
      for (const method of ['POST', 'GET', 'DELETE'] as const) {
        for (const attempt of attempts) {
          const response = await inject({ method, url: path, ...attempt });
          expect([path, response.statusCode, response.json().code]).toEqual([path, 401, 2001]);
        }
      }
    }
    expect((await post(`${mgmt}/secret/query`, {}, bearer(session.bearer))).data).toBe(secret);
    expect((await post(`${mgmt}/login`, { password: 'the password' })).status).toBe(200);
  });

  it('S03: an expired token is worthless', async () => {
    const { post, store } = await openReady();
    const { issueToken } = await import('./features/auth/session-tokens.ts');
    const { IdentityRepository } = await import('./features/auth/identity-repository.ts');
    const identity = new IdentityRepository(store, systemClock);
    const parts = { apiSecret: await identity.apiSecret(), salt: await identity.sessionSalt() };
    const old = await issueToken(parts, 'session', Date.now() - 31 * 24 * 3600_000);
    expect((await post(`${mgmt}/status`, {}, bearer(old.bearer))).code).toBe(2001);
    const fresh = await issueToken(parts, 'session', Date.now());
    expect((await post(`${mgmt}/status`, {}, bearer(fresh.bearer))).status).toBe(200);
  });

  it('S05, S06: neither cookie, origin, referrer nor address carries authority', async () => {
    const { inject, session } = await openReady();
    const headers = {
      cookie: `token=${session.token}; SRS_TERRAFORM_TOKEN=${session.token}`,
      origin: 'http://localhost:2022',
      referer: `http://localhost:2022/mgmt/?token=${session.token}`,
    };
    const response = await inject({ method: 'POST', url: `${mgmt}/status?token=${session.token}`, headers });
    expect(response.statusCode).toBe(401);
  });

  it('no answer of any endpoint sets a cookie', async () => {
    const { inject, session } = await openReady();
    for (const { path } of endpoints) {
      for (const headers of [{}, bearer(session.bearer)]) {
        const response = await inject({ method: 'POST', url: path, payload: { password: 'the password' }, headers });
        expect(response.headers['set-cookie']).toBeUndefined();
      }
    }
  });
});

describe('a store that fails', () => {
  it('is 1007 on calls that need it, and a finding on status', async () => {
    const store = new MemoryStore();
    const { post, session } = await openReady({ store });
    store.isBroken = true;
    for (const path of ['check', 'init', 'login', 'beian/query', 'status']) {
      expect(await post(`${mgmt}/${path}`, { password: 'the password' }, bearer(session.bearer))).toMatchObject({
        status: 500,
        code: 1007,
      });
    }
    expect((await post(`${mgmt}/versions`)).status).toBe(200);
    store.isBroken = false;
    expect((await post(`${mgmt}/check`)).data).toEqual({ upgrading: false, init: true });
  });
});

describe('system', () => {
  it('tells versions, uptime and health', async () => {
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

  it('tells the published ports and limits', async () => {
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

  it('keeps site texts as they are typed, and lets them be cleared', async () => {
    const { post, session } = await openReady();
    const set = (beian: string, text: string) => post(`${mgmt}/beian/update`, { beian, text }, bearer(session.bearer));
    expect((await set('title', 'My Site')).data).toBeNull();
    await set('icp', 'ICP 1');
    expect((await post(`${mgmt}/beian/query`)).data).toEqual({ title: 'My Site', icp: 'ICP 1' });
    await set('icp', '');
    expect((await post(`${mgmt}/beian/query`)).data).toEqual({ title: 'My Site', icp: '' });
  });

  it('describes every endpoint in its OpenAPI document', async () => {
    const { inject } = await open();
    const document = (await inject({ url: '/terraform/v1/openapi.json' })).json();
    for (const { path, method } of endpoints) expect(document.paths[path][method.toLowerCase()].summary).toBeTruthy();
  });
});

describe('the media server API', () => {
  it('needs a credential except for versions, and is 502 while the engine is away', async () => {
    const { inject, session } = await openReady();
    expect((await inject({ url: '/api/v1/versions' })).statusCode).toBe(502);
    for (const path of ['/api/v1/streams', '/api/v1/versions/', '/api/v1/clients/1', '/api/']) {
      expect((await inject({ url: path })).json()).toMatchObject({ code: 2001 });
      expect((await inject({ method: 'DELETE', url: `${path}?token=forged` })).statusCode).toBe(401);
    }
    expect((await inject({ url: `/api/v1/streams?token=${session.token}` })).statusCode).toBe(502);
  });
});
