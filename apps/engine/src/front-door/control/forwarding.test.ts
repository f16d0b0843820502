import type { IncomingHttpHeaders } from 'node:http';
import { expect, test } from 'vitest';
import { exchange, get, openFrontDoor } from '../front-door.fixture.ts';

/** Headers that the control plane receives for a request. */
async function told(headers: Record<string, string | string[]>, trustedProxies: string[] = []) {
  let seen: IncomingHttpHeaders = {};
  let names: string[] = [];
  const { port } = await openFrontDoor({ config: { trustedProxies } }, (req, res) => {
    seen = req.headers;
    names = req.rawHeaders.filter((_, index) => index % 2 === 0).map((name) => name.toLowerCase());
    res.end();
  });
  await get(port, '/api/a', { headers });
  expect(new Set(names).size).toBe(names.length);
  return seen;
}

const forged = {
  'X-Forwarded-For': ['10.0.0.1', '10.0.0.2'],
  'X-Forwarded-Proto': 'https',
  'X-Forwarded-Host': 'evil.example',
  'X-Forwarded-Port': '1',
  'x-forwarded-server': 'evil',
  'X-Real-IP': '10.0.0.1',
  'X-Real-Host': 'evil.example',
  Forwarded: 'for=10.0.0.1',
  'X-Weir-Peer': 'direct',
  'x-weir-anything': 'yes',
};

test('names a direct client by its own address', async () => {
  const seen = await told({ Host: 'live.example:2022', Authorization: 'Bearer x' });
  expect(seen).toMatchObject({
    host: 'live.example:2022',
    authorization: 'Bearer x',
    'x-forwarded-for': '127.0.0.1',
    'x-forwarded-proto': 'http',
    'x-forwarded-host': 'live.example:2022',
    'x-weir-peer': 'direct',
  });
});

test('ignores forwarding headers of an untrusted client', async () => {
  const seen = await told({ Host: 'live.example', ...forged });
  expect(seen).toMatchObject({
    'x-forwarded-for': '127.0.0.1',
    'x-forwarded-proto': 'http',
    'x-forwarded-host': 'live.example',
    'x-weir-peer': 'proxied',
  });
  for (const name of ['x-forwarded-port', 'x-forwarded-server', 'x-real-ip', 'x-real-host', 'forwarded'])
    expect(seen).not.toHaveProperty(name);
  expect(seen).not.toHaveProperty('x-weir-anything');
});

test.each(['X-Forwarded-For', 'X-Forwarded-Anything', 'X-Real-IP', 'X-Real-Host', 'Forwarded', 'Via'])(
  'marks a peer as proxied that sends only %s',
  async (name) => expect(await told({ [name]: '192.0.2.1' })).toMatchObject({ 'x-weir-peer': 'proxied' }),
);

test('trusts a proxy about the client, the protocol and the host, never about internal headers', async () => {
  const seen = await told(
    { ...forged, 'X-Forwarded-For': 'junk, 10.9.9.9, 198.51.100.7', 'X-Forwarded-Host': 'live.example' },
    ['127.0.0.0/8'],
  );
  expect(seen).toMatchObject({
    'x-forwarded-for': '198.51.100.7',
    'x-forwarded-proto': 'https',
    'x-forwarded-host': 'live.example',
    'x-real-host': 'evil.example',
    'x-weir-peer': 'proxied',
  });
  expect(seen).not.toHaveProperty('x-weir-anything');
  expect(seen).not.toHaveProperty('x-real-ip');
});

test.each([
  ['the nearest address that is no proxy of ours', '198.51.100.7, 203.0.113.9, 10.0.0.2', '203.0.113.9'],
  ['an address with a port', '203.0.113.9:4711', '203.0.113.9'],
  ['an IPv6 address with a port', '[2001:db8::1]:4711', '2001:db8::1'],
  ['an IPv4 address in IPv6 clothes', '::ffff:203.0.113.9', '203.0.113.9'],
  ['the outermost, when all are proxies of ours', '10.0.0.3, 10.0.0.2', '10.0.0.3'],
  ['the last one believed, when the next is no address', '203.0.113.9, <script>, 10.0.0.2', '10.0.0.2'],
  ['the proxy itself, when it says nothing', '', '127.0.0.1'],
])('the client is %s', async (_name, chain, expected) => {
  const seen = await told(chain === '' ? {} : { 'X-Forwarded-For': chain }, ['127.0.0.1', '10.0.0.0/8']);
  expect(seen['x-forwarded-for']).toBe(expected);
});

test('refuses an invalid protocol or host from a trusted proxy', async () => {
  const seen = await told(
    { Host: 'live.example', 'X-Forwarded-Proto': 'javascript', 'X-Forwarded-Host': 'a"><script>' },
    ['127.0.0.1'],
  );
  expect(seen).toMatchObject({ 'x-forwarded-proto': 'http', 'x-forwarded-host': 'live.example' });
});

test('removes hop-by-hop headers, also those named by Connection, but not those that frame the message', async () => {
  let seen: IncomingHttpHeaders = {};
  const { port } = await openFrontDoor({}, (req, res) => {
    seen = req.headers;
    res.setHeader('Connection', 'keep-alive, X-Private');
    res.setHeader('X-Private', 'hop');
    res.setHeader('Proxy-Authenticate', 'Basic');
    req.resume().once('end', () => res.end('done'));
  });
  const text = await exchange(
    port,
    'POST /api/a HTTP/1.1\r\nHost: live.example\r\nContent-Length: 2\r\nX-Hop: 1\r\nX-Kept: 1\r\nTE: trailers\r\n',
    'Keep-Alive: timeout=5\r\nProxy-Authorization: x\r\nConnection: close, x-hop, host, content-length, x-weir-peer\r\n\r\nok',
  );
  expect(text).toMatch(/^HTTP\/1\.1 200 .*done/s);
  expect(text).not.toMatch(/x-private|proxy-authenticate/i);
  expect(seen).toMatchObject({ host: 'live.example', 'x-kept': '1', 'content-length': '2', 'x-weir-peer': 'direct' });
  for (const name of ['x-hop', 'te', 'keep-alive', 'proxy-authorization']) expect(seen).not.toHaveProperty(name);
});

test('serves an HTTP/1.0 client without a host', async () => {
  const { port } = await openFrontDoor({}, (req, res) => res.end(`host=${req.headers.host}`));
  expect(await exchange(port, 'GET /api/a HTTP/1.0\r\n\r\n')).toMatch(/ 200 .*host=localhost$/s);
});
