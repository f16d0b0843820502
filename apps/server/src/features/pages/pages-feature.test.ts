import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestApp } from '../../app.fixture.ts';

let server: Awaited<ReturnType<typeof createTestApp>>;
beforeAll(async () => {
  server = await createTestApp();
});
afterAll(() => server.close());

const get = (url: string, from: Record<string, string> = {}) => server.inject({ method: 'GET', url }, from);

describe('the pages outside the console', () => {
  it.each([
    '/tools/player.html?url=http://a.test/live/x.flv',
    '/tools/xgplayer.html',
    '/players/srs_player.html',
    '/players/whep.html',
    '/players/whip.html',
    '/players/rtc_player.html',
    '/players/rtc_publisher.html',
    '/console/ng_index.html',
    '/console/en_index.html',
  ])('serve %s to everyone, revalidated each time, with our own scripts only', async (url) => {
    const { statusCode, headers } = await get(url);
    expect(statusCode).toBe(200);
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
    expect(headers['cache-control']).toBe('no-cache');
    expect(headers.etag).toBeTruthy();
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(headers['content-security-policy']).toMatch(/default-src 'none'; script-src 'self';/);
  });

  it.each([
    ['/console/', '/console/ng_index.html'],
    ['/console/index.html?a=1', '/console/ng_index.html?a=1'],
    ['/players/', '/players/srs_player.html'],
    ['/tools/', '/tools/player.html'],
  ])('redirect from %s to %s', async (url, target) => {
    const { statusCode, headers } = await get(url);
    expect([statusCode, headers.location]).toEqual([302, target]);
  });

  it.each([
    '/tools/x.html',
    '/players/whep.html/',
    '/players/..%2findex.html',
    '/tools/%2e%2e/color-scheme.js',
    '/console/../color-scheme.js',
    '/tools/constructor',
    '/players/whep.html.br',
    '/tools/assets/',
  ])('answer 404 to %s', async (url) => {
    expect((await get(url)).statusCode).toBe(404);
  });

  it('can only be read', async () => {
    expect((await server.inject({ method: 'POST', url: '/tools/player.html', payload: {} })).statusCode).toBe(405);
  });

  it('load media from anywhere over http, and only encrypted media over https', async () => {
    const policy = async (proto: string) =>
      String((await get('/tools/player.html', { 'x-forwarded-proto': proto })).headers['content-security-policy']);
    expect(await policy('http')).toContain("connect-src 'self' http: https:;");
    expect(await policy('https')).toContain("connect-src 'self' https:;");
    expect(await policy('https')).not.toContain('http:;');
  });

  it('let other sites embed a player, but not a camera or a sign-in, and only the publisher may use a camera', async () => {
    const facts = async (url: string) => {
      const { headers } = await get(url);
      const policy = String(headers['content-security-policy']);
      return [
        /frame-ancestors ([^;]+)/.exec(policy)?.[1],
        /camera=([^,]+)/.exec(String(headers['permissions-policy']))?.[1],
      ];
    };
    expect(await facts('/tools/player.html')).toEqual(['*', '()']);
    expect(await facts('/players/whip.html')).toEqual(["'self'", '(self)']);
    expect(await facts('/console/en_index.html')).toEqual(["'self'", '()']);
  });

  it('let the server console connect to this server only', async () => {
    const { headers } = await get('/console/en_index.html');
    expect(headers['content-security-policy']).toContain("connect-src 'self';");
  });
});
