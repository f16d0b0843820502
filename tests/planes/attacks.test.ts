import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { endpoints } from '@weir/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Weir } from '../weir.fixture.ts';

const mgmt = '/terraform/v1/mgmt';
const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8')) as {
  version: string;
};
const password = 'a password nobody guesses';

describe('set-up by strangers', () => {
  let weir: Weir;
  beforeAll(async () => {
    weir = await Weir.start({ WEIR_TRUSTED_PROXIES: '127.0.0.7' });
  });
  afterAll(() => weir.close());

  /** From another machine, by way of the trusted proxy; from this machine when no address is given. */
  const setUp = (body: object, headers: Record<string, string> = {}, localAddress = '127.0.0.1') =>
    send(weir, `${mgmt}/init`, body, { localAddress, headers });

  it('S01: needs the code, works once, and cannot be reached afterwards', async () => {
    const elsewhere = { 'x-forwarded-for': '203.0.113.9' };
    expect(await setUp({ password }, elsewhere, '127.0.0.7')).toMatchObject({ status: 403, code: 2000 });
    // Claiming to be local does not help: neither by our own header nor by a forwarding one.
    expect(await setUp({ password }, { ...elsewhere, 'x-weir-peer': 'direct' }, '127.0.0.7')).toMatchObject({
      status: 403,
    });
    expect(await setUp({ password }, { 'x-forwarded-for': '127.0.0.1' }, '127.0.0.9')).toMatchObject({ status: 403 });
    expect(await setUp({ password }, { via: '1.1 somebody' })).toMatchObject({ status: 403 });
    expect(await setUp({ password }, { origin: 'http://evil.example' })).toMatchObject({ status: 403 });
    expect(await setUp({ password }, { host: 'rebound.example' })).toMatchObject({ status: 403 });
    expect((await weir.post(`${mgmt}/init`)).data).toEqual({ init: false });

    const code = weir.setupCode;
    const race = await Promise.all(
      ['one of two', 'two of two'].map((each) => setUp({ password: each, code }, elsewhere, '127.0.0.7')),
    );
    expect(race.map(({ status }) => status).sort()).toEqual([200, 422]);
    expect(await setUp({ password: 'too late', code })).toMatchObject({ status: 422, code: 1004 });
  });
});

describe('a configured server', () => {
  let weir: Weir;
  let bearer: string;
  beforeAll(async () => {
    weir = await Weir.start();
    bearer = (await weir.setUp(password)).bearer;
  });
  afterAll(() => weir.close());

  it('S02: survives 10,000 guesses from one and from many addresses while the administrator signs in', async () => {
    const began = performance.now();
    const counts = new Map<number, number>();
    const guess = async (localAddress: string, agent: Agent) => {
      const { status } = await send(weir, `${mgmt}/login`, { password: 'guess' }, { localAddress, agent });
      counts.set(status, (counts.get(status) ?? 0) + 1);
    };
    /** `width` guessers at a time, each sending all the guesses of one address before it takes the next. */
    const attack = async (addresses: readonly string[], guessesEach: number, width: number) => {
      const left = [...addresses];
      const guesser = async () => {
        for (let address = left.pop(); address !== undefined; address = left.pop()) {
          const agent = new Agent({ keepAlive: true, maxSockets: 1 });
          for (let n = 0; n < guessesEach; n++) await guess(address, agent);
          agent.destroy();
        }
      };
      await Promise.all(Array.from({ length: width }, guesser));
    };
    const signInTimes: number[] = [];
    const signIn = async () => {
      const before = performance.now();
      const answer = await weir.post(`${mgmt}/login`, { password });
      expect(answer.status).toBe(200);
      signInTimes.push(performance.now() - before);
    };
    await signIn();
    // A machine that is busy with other things is slow without any attack.
    const [calmMs = 0] = signInTimes.splice(0);
    const fromOne = attack(Array<string>(40).fill('127.0.0.2'), 125, 40);
    await signIn();
    await fromOne;
    const fromMany = attack(
      Array.from({ length: 250 }, (_, n) => `127.0.1.${n + 1}`),
      10,
      40,
    );
    for (let n = 0; n < 2; n++) await signIn();
    await fromMany;
    // Many networks of many providers: each is new, and all share one allowance.
    const everywhere = Array.from(
      { length: 2500 },
      (_, n) => `127.${1 + (n % 250)}.${1 + ((n * 7) % 250)}.${1 + (n % 9)}`,
    );
    const fromEverywhere = attack(everywhere, 1, 40);
    for (let n = 0; n < 2; n++) await signIn();
    await fromEverywhere;
    await signIn();

    expect(signInTimes).toHaveLength(6);
    expect((counts.get(401) ?? 0) + (counts.get(429) ?? 0)).toBe(10_000);
    // The rest was not even tried.
    expect(counts.get(401)).toBeLessThanOrEqual(101 + (performance.now() - began) / 1000);
    expect(Math.max(...signInTimes)).toBeLessThan(Math.max(5000, 10 * calmMs));
    const status = await weir.post(`${mgmt}/status`, {}, { authorization: `Bearer ${bearer}` });
    expect(status.data.alerts[0]).toMatchObject({ kind: 'guessing' });
  });

  it('S03, S04, S07: refuses every call without a credential, by any method', async () => {
    for (const { path } of endpoints.filter(({ access }) => access === 'admin')) {
      for (const method of ['GET', 'POST', 'PUT', 'DELETE', 'PATCH']) {
        const response = await fetch(weir.origin + path, { method, headers: { authorization: 'Bearer forged' } });
        expect([path, response.status]).toEqual([path, 401]);
      }
    }
    for (const path of ['/api/v1/streams', '/api/v1/clients/1', '/api/v1/raw?rpc=reload']) {
      expect((await fetch(weir.origin + path, { method: 'DELETE' })).status).toBe(401);
    }
    // The engine's own hooks: refused from outside, also with a header that only looks like the engine's.
    for (const path of ['/terraform/v1/hooks/srs/verify', '/terraform/v1/hooks/srs/hls']) {
      const answer = await weir.post(path, { action: 'on_publish' }, { 'x-weir-hook': 'guessed' });
      expect(answer).toMatchObject({ status: 401, code: 3000 });
    }
    expect((await weir.post('/terraform/v1/debug/goroutines')).status).toBe(404);
  });

  it('S05, S06: lets any site read, grants nothing for cookies, and sets no cookie itself', async () => {
    const foreignSite = 'https://foreign.example';
    const media = ['/live/x.flv', '/live/x.m3u8', '/rtc/v1/whip/'];
    const paths = ['/', '/mgmt/', '/mgmt/none.js', ...media, '/api/v1/versions', `${mgmt}/check`, '/x'];
    for (const path of [...paths, ...endpoints.map((endpoint) => endpoint.path)]) {
      for (const method of ['GET', 'POST', 'OPTIONS']) {
        const response = await fetch(weir.origin + path, {
          method,
          redirect: 'manual',
          headers: { origin: foreignSite, cookie: `token=${bearer}` },
        });
        const [from, credentials] = media.includes(path) ? [foreignSite, 'true'] : ['*', null];
        expect(response.headers.get('access-control-allow-origin')).toBe(from);
        expect(response.headers.get('access-control-allow-credentials')).toBe(credentials);
        expect(response.headers.get('server')).toBe(`Weir/${version}`);
        expect(response.headers.getSetCookie()).toEqual([]);
      }
    }
    const foreign = await fetch(`${weir.origin}${mgmt}/status?token=${bearer}`, {
      method: 'POST',
      headers: { cookie: `token=${bearer}`, origin: weir.origin, referer: `${weir.origin}/mgmt/` },
    });
    expect(foreign.status).toBe(401);
  });

  it('answers invalid input with the status and code of its kind', async () => {
    const raw = (body: string, path = `${mgmt}/login`) => fetch(weir.origin + path, { method: 'POST', body });
    const answer = async (response: Response) => [response.status, ((await response.json()) as { code: number }).code];
    expect(await answer(await raw('{"password":'))).toEqual([422, 1004]);
    expect(await answer(await raw('{"password":7}'))).toEqual([422, 1004]);
    expect(await answer(await raw('{}'))).toEqual([422, 1000]);
    expect(await answer(await raw(JSON.stringify({ password: 'x'.repeat(2 ** 20) })))).toEqual([413, 1004]);
    expect(await answer(await raw('', '/terraform/v1/no/such/call'))).toEqual([404, 1003]);
    expect(await answer(await fetch(`${weir.origin}/live/nobody.flv`))).toEqual([404, 1003]);
  });

  it('sends every page with a policy for what it may load and who may frame it', async () => {
    const { headers } = await fetch(`${weir.origin}/mgmt/en/routers-login`);
    expect(headers.get('content-security-policy')).toMatch(/script-src 'self';.*frame-ancestors 'self'/);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('cache-control')).toBe('no-cache');
  });

  it('does not let missing files be cached', async () => {
    for (const path of ['/mgmt/assets/none.js', '/live/none.ts', '/live/none.m3u8']) {
      const response = await fetch(weir.origin + path);
      expect([path, response.status, response.headers.get('cache-control')]).toEqual([path, 404, 'no-store']);
    }
  });

  it('speaks the dialect of SRS at /api/v1/versions', async () => {
    const body = await (await fetch(`${weir.origin}/api/v1/versions`)).json();
    expect(body).toMatchObject({
      code: 0,
      data: { major: 5, minor: 0, version: expect.stringMatching(/^5\.0\.\d+$/), weir: version },
    });
    const jsonp = await fetch(`${weir.origin}/api/v1/versions?callback=cb_1`);
    expect(await jsonp.text()).toMatch(/cb_1\(\{.*\}\)/);
    const evil = await fetch(`${weir.origin}/api/v1/versions?callback=${encodeURIComponent('alert(1)//')}`);
    expect(await evil.text()).not.toContain('alert(1)');
  });

  it('S32: prints no password, token or secret', async () => {
    const auth = { authorization: `Bearer ${bearer}` };
    const { data: secret } = await weir.post(`${mgmt}/secret/query`, {}, auth);
    await fetch(`${weir.origin}/api/v1/streams?token=${bearer}`);
    await weir.post(`${mgmt}/login`, { password: `${password}!` });
    for (const hidden of [password, bearer, secret]) expect(weir.output).not.toContain(hidden);
  });
});

interface SendOptions {
  readonly localAddress: string;
  readonly headers?: Record<string, string>;
  readonly agent?: Agent;
}

/** A POST from a chosen loopback address. */
function send(weir: Weir, path: string, body: object, { localAddress, headers = {}, agent }: SendOptions) {
  return new Promise<{ status: number; code: number }>((resolve, reject) => {
    const outgoing = request(
      {
        host: '127.0.0.1',
        port: weir.httpPort,
        path,
        method: 'POST',
        localAddress,
        headers,
        ...(agent ? { agent } : {}),
      },
      async (response) => {
        let text = '';
        for await (const chunk of response) text += String(chunk);
        resolve({ status: response.statusCode ?? 0, ...(JSON.parse(text) as { code: number }) });
      },
    );
    outgoing.on('error', reject);
    outgoing.end(JSON.stringify(body));
  });
}
