import { endpoints } from '@weir/contract';
import { base64url, SignJWT } from 'jose';
import { describe, expect, it } from 'vitest';
import { bearer, mgmt, openReady } from '../../app.session.fixture.ts';
import { systemClock } from '../../core/clock.ts';

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
    const guarded = endpoints.filter(({ access }) => access === 'admin' || access === 'setup');
    expect(guarded.length).toBeGreaterThan(5);
    const methods = ['POST', 'GET', 'DELETE'] as const;
    const waysOf = (token: string) =>
      methods.flatMap((method) => [
        { method, headers: bearer(token) },
        { method, payload: { token } },
      ]);
    for (const [index, { path }] of guarded.entries()) {
      // Every call meets every credential and every way to bring one; all credentials in all ways, which is six times the work, the first does.
      const carried = credentials.flatMap((token, nth) => {
        const ways = waysOf(token);
        return index === 0 ? ways : ways.slice((index + nth) % ways.length).slice(0, 1);
      });
      for (const attempt of [...methods.map((method) => ({ method })), ...carried]) {
        const response = await inject({ url: path, ...attempt });
        expect([path, response.statusCode, response.json().code]).toEqual([path, 401, 2001]);
      }
    }
    expect((await post(`${mgmt}/secret/query`, {}, bearer(session.bearer))).data).toBe(secret);
    expect((await post(`${mgmt}/login`, { password: 'the password' })).status).toBe(200);
  });

  it('S03: an expired token is refused', async () => {
    const { post, store } = await openReady();
    const { issueToken } = await import('./session-tokens.ts');
    const { IdentityRepository } = await import('./identity-repository.ts');
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

  it('no answer of any endpoint sets a cookie or lacks a length', async () => {
    const { inject, session } = await openReady();
    for (const { path } of endpoints) {
      for (const headers of [{}, bearer(session.bearer)]) {
        const response = await inject({ method: 'POST', url: path, payload: { password: 'the password' }, headers });
        expect(response.headers['set-cookie']).toBeUndefined();
        // The front door passes no other on for a plain call.
        expect(response.headers['content-length'], path).toMatch(/^\d+$/);
      }
    }
  });
});
