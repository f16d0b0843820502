import { describe, expect, it } from 'vitest';
import { bearer, mgmt, open, openReady } from '../../app.session.fixture.ts';

describe('sign-in', () => {
  it('answers each failure with its own code', async () => {
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

  it('marks answers to an accepted credential for the front door, and no others', async () => {
    const { post, session } = await openReady();
    const told = async (headers: Record<string, string>, path = 'token') =>
      (await post(`${mgmt}/${path}`, {}, headers)).headers['x-weir-accepted'];
    expect(await told(bearer(session.bearer))).toBe('1');
    expect(await told(bearer('forged'))).toBeUndefined();
    expect(await told(bearer('forged'), 'versions')).toBeUndefined();
  });

  it('accepts the credential as bearer or body token, and the API secret as bearer', async () => {
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

  it('refuses an invalid header even beside a valid token', async () => {
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
  it('by logout ends its tokens, original and refreshed, and no other session', async () => {
    const { post, session } = await openReady();
    const other = (await post(`${mgmt}/login`, { password: 'the password' })).data;
    const refreshed = (await post(`${mgmt}/token`, {}, bearer(session.bearer))).data.token;
    expect((await post(`${mgmt}/logout`, {}, bearer(session.bearer))).status).toBe(200);
    for (const token of [session.bearer, refreshed]) {
      expect(await post(`${mgmt}/status`, {}, bearer(token))).toMatchObject({ status: 401, code: 2001 });
    }
    expect((await post(`${mgmt}/status`, {}, bearer(other.bearer))).status).toBe(200);
  });

  it('everywhere, by password change or by secret rotation ends all sessions but the returned one', async () => {
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

  it('persists across a restart', async () => {
    const { post, session, store } = await openReady();
    await post(`${mgmt}/logout`, {}, bearer(session.bearer));
    const again = await open({ store });
    expect((await again.post(`${mgmt}/status`, {}, bearer(session.bearer))).code).toBe(2001);
  });
});
