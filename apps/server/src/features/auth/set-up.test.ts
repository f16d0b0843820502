import { describe, expect, it } from 'vitest';
import { bearer, mgmt, open, stranger } from '../../app.session.fixture.ts';
import { MemoryStore } from '../../core/store/memory-store.ts';

describe('set-up', () => {
  it('reports its state and sets the password on one path, and signs in', async () => {
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

  it('S01: has one winner of a race, and refuses everyone afterwards', async () => {
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

  it('S01: needs the code from the log unless the caller is proved to be a program on this machine', async () => {
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

  it('refuses passwords of fewer than eight characters, at set-up and later', async () => {
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

  it('accepts a short password of an older version at sign-in', async () => {
    const { post } = await open({ env: { MGMT_PASSWORD: 'short' } });
    const { data: session } = await post(`${mgmt}/login`, { password: 'short' });
    const passwords = { password: 'short', newPassword: 'long enough' };
    expect((await post(`${mgmt}/password/update`, passwords, bearer(session.bearer))).status).toBe(200);
  });

  it('takes the password of a new server from the environment, and of no other server', async () => {
    const store = new MemoryStore();
    const first = await open({ store, env: { MGMT_PASSWORD: 'from-env' } });
    expect((await first.post(`${mgmt}/init`)).data).toEqual({ init: true });
    expect((await first.post(`${mgmt}/login`, { password: 'from-env' })).status).toBe(200);
    const second = await open({ store, env: { MGMT_PASSWORD: 'another' } });
    expect((await second.post(`${mgmt}/login`, { password: 'another' })).code).toBe(2000);
  });
});
