import { request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { leadBytes, Prepared } from '../http/prepared.ts';
import { openFrontDoor } from './front-door.fixture.ts';

const text = Buffer.from('#EXTM3U\n'.repeat(200));
const site = 'https://site.example';
/** Without a wish about the connection a request is plain and takes the fast path. */
const ways = [
  ['the fast path', {}],
  ['the whole HTTP server', { Connection: 'close' }],
] as const;

async function open() {
  const playlist = new Prepared(text, ['Cache-Control', 'public, max-age=1'], { isText: true, tag: '"v1"' });
  const segment = Prepared.inRoomy(Buffer.alloc(leadBytes + 40_000, 'x'), ['Content-Type', 'video/mp2t'], '"9c40"');
  const { port } = await openFrontDoor({
    media: (asked) => asked.answerPrepared(asked.url.endsWith('.ts') ? segment : playlist),
  });
  return async (path: string, headers: Record<string, string> = {}, method = 'GET') => {
    const { promise, resolve, reject } = Promise.withResolvers<import('node:http').IncomingMessage>();
    const setHost = { setDefaultHeaders: false, headers: { Host: 'a', ...headers } };
    request({ host: '127.0.0.1', port, path, method, agent: false, ...setHost }, resolve)
      .once('error', reject)
      .end();
    const answer = await promise;
    return { status: answer.statusCode, headers: answer.headers, body: await buffer(answer) };
  };
}

describe.each(ways)('media on %s', (_name, way) => {
  test('names the requesting site as allowed origin, so that its players may send cookies', async () => {
    const sendRequest = await open();
    for (const path of ['/live/a.m3u8', '/live/a.ts']) {
      const { headers } = await sendRequest(path, { ...way, Origin: site });
      expect(headers['access-control-allow-origin']).toBe(site);
      expect(headers['access-control-allow-credentials']).toBe('true');
      expect(headers.vary).toMatch(/^Origin\b/);
    }
  });

  test('allows every origin when the request names no site or comes from a cache', async () => {
    const sendRequest = await open();
    const { headers } = await sendRequest('/live/a.ts', way);
    expect(headers).toMatchObject({ 'access-control-allow-origin': '*', vary: 'Origin' });
    expect(headers['access-control-allow-credentials']).toBeUndefined();
    const edge = await sendRequest('/live/a.ts', { ...way, Origin: site, 'X-Weir-Edge': 'any' });
    expect(edge.headers).toMatchObject({ 'access-control-allow-origin': '*' });
    expect([edge.headers.vary, edge.headers['access-control-allow-credentials']]).toEqual([undefined, undefined]);
  });

  test.each(['javascript:1', 'https://a b', `https://${'a'.repeat(300)}`, 'https://a/path', '*'])(
    'does not repeat an invalid origin: %s',
    async (origin) => {
      const sendRequest = await open();
      const { headers } = await sendRequest('/live/a.ts', { ...way, Origin: origin });
      expect(headers['access-control-allow-origin']).toBe('*');
      expect(headers['access-control-allow-credentials']).toBeUndefined();
    },
  );

  test('gives alternating sites complete answers, each with its own headers', async () => {
    const sendRequest = await open();
    const asked = Array.from({ length: 12 }, (_, index) => `https://site-${index % 6}.example`);
    const answers = await Promise.all(asked.map((origin) => sendRequest('/live/a.ts', { ...way, Origin: origin })));
    expect(answers.map(({ headers }) => headers['access-control-allow-origin'])).toEqual(asked);
    for (const { body } of answers) expect(body.equals(Buffer.alloc(40_000, 'x'))).toBe(true);
  });

  test.each([
    ['gzip, deflate, br', true],
    ['x-gzip', true],
    ['*', true],
    ['br;q=1.0, gzip;q=0.8', true],
    ['gzip;q=0', false],
    ['gzip; q=0.000, *', false],
    ['identity', false],
    ['', false],
  ])('compresses playlists for %j: %s', async (accepted, isCompressed) => {
    const sendRequest = await open();
    const { headers, body } = await sendRequest('/live/a.m3u8', { ...way, 'Accept-Encoding': accepted });
    expect(headers['content-encoding']).toBe(isCompressed ? 'gzip' : undefined);
    expect(headers['content-length']).toBe(String(body.length));
    expect(headers.vary).toContain('Accept-Encoding');
    expect((isCompressed ? gunzipSync(body) : body).equals(text)).toBe(true);
    const segment = await sendRequest('/live/a.ts', { ...way, 'Accept-Encoding': accepted });
    expect(segment.headers['content-encoding']).toBeUndefined();
  });

  test('answers 304 to a client that has the same encoding already', async () => {
    const sendRequest = await open();
    for (const [path, coding] of [
      ['/live/a.m3u8', 'gzip'],
      ['/live/a.m3u8', 'identity'],
      ['/live/a.ts', 'gzip'],
    ] as const) {
      const form = { ...way, 'Accept-Encoding': coding };
      const first = await sendRequest(path, form);
      const tag = first.headers.etag ?? '';
      for (const held of [tag, `W/${tag}`, `"other", ${tag}`, '*']) {
        const again = await sendRequest(path, { ...form, 'If-None-Match': held });
        expect([again.status, again.body.length, again.headers.etag]).toEqual([304, 0, tag]);
        expect(again.headers.vary).toContain('Origin');
      }
      expect((await sendRequest(path, { ...form, 'If-None-Match': '"other"' })).status).toBe(200);
    }
    const [plain, small] = ['identity', 'gzip'].map((coding) =>
      sendRequest('/live/a.m3u8', { ...way, 'Accept-Encoding': coding }),
    );
    expect((await plain)?.headers.etag).not.toBe((await small)?.headers.etag);
  });
});

describe('a CORS preflight', () => {
  const wish = { Origin: site, 'Access-Control-Request-Method': 'GET', 'Access-Control-Request-Headers': 'range,x-a' };

  test('for media names the site and the headers, and may be cached', async () => {
    const sendRequest = await open();
    for (const path of ['/live/a.m3u8', '/rtc/v1/whep/']) {
      const { status, headers } = await sendRequest(path, wish, 'OPTIONS');
      expect(status).toBe(200);
      expect(headers).toMatchObject({
        'access-control-allow-origin': site,
        'access-control-allow-headers': 'range,x-a',
        'access-control-allow-credentials': 'true',
        'access-control-max-age': '7200',
      });
    }
  });

  test('for the API allows every origin without credentials', async () => {
    const sendRequest = await open();
    const { headers } = await sendRequest('/terraform/v1/mgmt/check', wish, 'OPTIONS');
    expect(headers).toMatchObject({ 'access-control-allow-origin': '*', 'access-control-max-age': '7200' });
    expect(headers['access-control-allow-credentials']).toBeUndefined();
  });
});
