import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { constants } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type Boot, listenOnSocket } from '@weir/plane';
import { parseConfig } from '@weir/plane/config';
import { expect, it, onTestFinished, vi } from 'vitest';
import { quietLog } from '../../quiet-log.fixture.ts';
import { startSrsGate } from '../../srs-gate.ts';
import { installPair, makePair, type Pair } from '../../tls-pair.fixture.ts';
import { temporaryDirectory } from '../front-door.fixture.ts';
import { ask, openSession } from '../http2/http2.fixture.ts';

type Serve = (request: IncomingMessage, response: ServerResponse) => void;

const listing = { code: 0, streams: [{ name: 'show', url: '/live/show', publish: { active: true } }, 7] };

/** The front door before a server that answers for SRS, API and media alike. */
async function open(serve: Serve, more: Record<string, string> = {}, pair?: Pair) {
  const asked: IncomingMessage[] = [];
  const upstream = createServer((request, response) => {
    asked.push(request);
    if (request.url?.startsWith('/api/v1/streams/')) response.end(JSON.stringify(listing));
    else serve(request, response);
  });
  await new Promise<void>((resolve) => upstream.listen(0, '127.0.0.1', resolve));
  const address = `http://127.0.0.1:${(upstream.address() as AddressInfo).port}`;
  const cwd = await temporaryDirectory();
  if (pair) await installPair(cwd, pair);
  const env = {
    MGMT_LISTEN: '127.0.0.1:0',
    HTTPS_LISTEN: '127.0.0.1:0',
    WEIR_SRS_API: address,
    WEIR_SRS_HTTP: address,
  };
  const config = parseConfig({ WEIR_DATA: cwd, WEIR_ENGINE: 'srs', ...env, ...more }, { cwd, version: '1.2.3' });
  const sockets = { engine: join(cwd, 'e.sock'), server: join(cwd, 's.sock') };
  // The control plane knows one secret.
  const control = createServer(async (request, response) => {
    const hook = JSON.parse((await request.toArray()).join(''));
    const isFine = hook.action === 'on_publish_asked' && hook.param.includes('secret=s');
    response.end(JSON.stringify(isFine ? { code: 0 } : { code: 3000, data: { message: 'wrong secret' } }));
  });
  await listenOnSocket(control, sockets.server);
  const boot: Boot = { config, sockets, hookToken: '', ownToken: '' };
  if (!config.srs) throw new Error('not configured');
  const gate = await startSrsGate(boot, quietLog, config.srs);
  onTestFinished(async () => {
    await gate.close();
    control.close();
    upstream.closeAllConnections();
    upstream.close();
  });
  const { httpPort, httpsPort } = gate.facts;
  return { origin: `http://127.0.0.1:${httpPort}`, httpsPort, asked, upstream };
}

it('passes playlists and segments on with the query, and names their client', async () => {
  const { origin, asked } = await open((_request, response) =>
    response
      .writeHead(200, { 'content-type': 'application/vnd.apple.mpegurl', 'set-cookie': 'a=1', server: 'SRS' })
      .end('#EXTM3U'),
  );
  const answer = await fetch(`${origin}/live/show.m3u8?hls_ctx=7`, { headers: { range: 'bytes=0-' } });
  expect([answer.status, await answer.text()]).toEqual([200, '#EXTM3U']);
  expect(answer.headers.get('content-type')).toBe('application/vnd.apple.mpegurl');
  expect(answer.headers.get('access-control-allow-origin')).toBe('*');
  expect([answer.headers.get('set-cookie'), answer.headers.get('server')]).toEqual([null, 'Weir/1.2.3']);
  expect(asked[0]).toMatchObject({
    url: '/live/show.m3u8?hls_ctx=7',
    headers: { 'x-real-ip': '127.0.0.1', range: 'bytes=0-' },
  });
});

it('streams FLV as it arrives, and disconnects with the viewer', async () => {
  const left = vi.fn();
  const { origin } = await open((_request, response) => {
    response.writeHead(200, { 'content-type': 'video/x-flv' }).write('FLV');
    response.once('close', left);
  });
  const abort = new AbortController();
  const answer = await fetch(`${origin}/live/show.flv`, { signal: abort.signal });
  const first = await answer.body?.getReader().read();
  expect(Buffer.from(first?.value ?? []).toString()).toBe('FLV');
  abort.abort();
  await vi.waitFor(() => expect(left).toHaveBeenCalled());
});

it('serves playlists and FLV over HTTP/2, and leaves the media server with each viewer of a connection', async () => {
  const left = vi.fn();
  const serve: Serve = ({ url = '' }, response) => {
    const isPlaylist = url.includes('?n=');
    if (!isPlaylist) response.once('close', left);
    if (isPlaylist) response.writeHead(200, { 'content-length': '7' }).end('#EXTM3U');
    else if (url.endsWith('.flv')) response.writeHead(200, { 'content-type': 'video/x-flv' }).write('FLV');
  };
  const { httpsPort, asked } = await open(serve, {}, await makePair());
  const session = await openSession(httpsPort ?? 0);
  const get = (path: string) => ({ ':path': path, ':method': 'GET' });
  const answers = await Promise.all(Array.from({ length: 20 }, (_, n) => ask(session, get(`/live/show.m3u8?n=${n}`))));
  expect(answers.map(({ headers, body }) => `${headers[':status']} ${body}`)).toEqual(answers.map(() => '200 #EXTM3U'));
  expect(asked.find(({ url }) => url?.endsWith('?n=7'))?.headers).toMatchObject({ 'x-real-ip': '127.0.0.1' });
  const stream = session.request(get('/live/show.flv'));
  const [first] = (await once(stream, 'data')) as [Buffer];
  expect(first.toString()).toBe('FLV');
  stream.close(constants.NGHTTP2_CANCEL);
  await vi.waitFor(() => expect(left).toHaveBeenCalledTimes(1));
  // One that gives up before there is an answer.
  const late = session.request(get('/live/show.m3u8?late')).on('error', () => undefined);
  await vi.waitFor(() => expect(asked.at(-1)?.url).toContain('late'));
  late.close(constants.NGHTTP2_CANCEL);
  await vi.waitFor(() => expect(left).toHaveBeenCalledTimes(2));
  expect(session.destroyed).toBe(false);
});

it('repeats a request when the media server closed the kept connection', async () => {
  const kept = new Set<unknown>();
  const { origin } = await open((request, response) => {
    if (kept.has(request.socket)) request.socket.destroy();
    else response.writeHead(200, { 'content-length': '2' }).end('ok');
    kept.add(request.socket);
  });
  for (const name of ['a', 'b', 'c']) {
    const answer = await fetch(`${origin}/live/${name}.m3u8`);
    expect([answer.status, await answer.text()]).toEqual([200, 'ok']);
  }
});

it('requests FLV only for a live stream', async () => {
  const { origin, asked } = await open((_request, response) => void response.end('FLV'));
  const statusOf = async (method: string, path: string) => (await fetch(`${origin}${path}`, { method })).status;
  expect(await statusOf('GET', '/live/other.flv')).toBe(404);
  expect(await statusOf('HEAD', '/live/show.flv')).toBe(200);
  expect(asked.filter(({ url }) => url?.endsWith('.flv'))).toEqual([]);
  expect(await statusOf('POST', '/live/show.flv')).toBe(405);
});

it('reports that the media server is down', async () => {
  const { origin, upstream } = await open(() => undefined);
  upstream.closeAllConnections();
  upstream.close();
  for (const path of ['/live/show.m3u8', '/live/show.flv']) expect((await fetch(origin + path)).status).toBe(502);
  expect(
    (await fetch(`${origin}/rtc/v1/whip/?app=live&stream=a&secret=s`, { method: 'POST', body: 'v=0' })).status,
  ).toBe(502);
});

it('passes WebRTC offers on, except oversized ones', async () => {
  const { origin, asked } = await open(async (request, response) => {
    const offer = (await request.toArray()).join('');
    response
      .writeHead(201, { 'content-type': 'application/sdp', location: '/rtc/v1/whip/?action=delete' })
      .end(`answer to ${offer}`);
  });
  const whip = `${origin}/rtc/v1/whip/?app=live&stream=show&secret=s`;
  const answer = await fetch(whip, { method: 'POST', body: 'v=0' });
  expect([answer.status, await answer.text()]).toEqual([201, 'answer to v=0']);
  expect(answer.headers.get('location')).toBe('/rtc/v1/whip/?action=delete');
  expect(asked[0]).toMatchObject({
    url: '/rtc/v1/whip/?app=live&stream=show&secret=s',
    headers: { host: new URL(origin).host },
  });
  expect((await fetch(whip, { method: 'POST', body: 'x'.repeat(70_000) })).status).toBe(413);
  expect((await fetch(whip)).status).toBe(405);
});

it('distinguishes a refusal by the media server from its absence, and does not pass on invalid calls', async () => {
  const { origin, asked } = await open((request) => void request.socket.destroy());
  const statusOf = async (method: string, path: string, body = '') =>
    (await fetch(`${origin}/rtc/v1/${path}`, { method, ...(body !== '' && { body }) })).status;
  const publish = JSON.stringify({ streamurl: 'webrtc://host/live/show?secret=wrong', sdp: 'v=0' });
  expect(await statusOf('POST', 'publish/', publish)).toBe(403);
  const refused = await fetch(`${origin}/rtc/v1/whip/?app=live&stream=show`, { method: 'POST', body: 'v=0' });
  expect([refused.status, await refused.text()]).toEqual([403, expect.stringContaining('wrong secret')]);
  expect(asked).toEqual([]);
  expect(await statusOf('POST', 'whip?app=live&stream=show&secret=s', 'v=0')).toBe(403);
  expect(asked.at(-1)?.url).toBe('/rtc/v1/whip/?app=live&stream=show&secret=s');
  expect(await statusOf('DELETE', 'whip/?app=live&stream=show&session=s&token=t')).toBe(404);
  expect(await statusOf('POST', 'whep/?app=live&stream=show', 'v=0')).toBe(403);
  const before = asked.filter(({ url }) => url?.startsWith('/rtc')).length;
  expect(await statusOf('POST', 'whep/?app=live&stream=nobody', 'v=0')).toBe(404);
  const play = JSON.stringify({ streamurl: 'webrtc://host/live/nobody', sdp: 'v=0' });
  expect(await statusOf('POST', 'play/', play)).toBe(404);
  expect(await statusOf('POST', 'play/', '{}')).toBe(400);
  expect(await statusOf('POST', 'whip/', 'v=0')).toBe(400);
  expect(await statusOf('PATCH', 'whip/?app=live&stream=show', 'a=x')).toBe(405);
  expect(await statusOf('POST', 'nack/?drop=1', 'v=0')).toBe(404);
  expect(asked.filter(({ url }) => url?.startsWith('/rtc'))).toHaveLength(before);
});

it('tells the media server the host at which clients reach it', async () => {
  const { origin, asked } = await open((_request, response) => void response.writeHead(201).end('v=0'), {
    WEIR_MEDIA_HOST: 'media.example.com',
  });
  await fetch(`${origin}/rtc/v1/whip/?app=live&stream=show&secret=s`, { method: 'POST', body: 'v=0' });
  expect(asked[0]?.headers.host).toBe('media.example.com');
});

it('tells clients the published WebRTC port, not the one the media server listens on', async () => {
  const sdp = (port: number) =>
    [
      'v=0\r\na=ice-ufrag:8000 typ \r\nm=audio 9 UDP/TLS/RTP/SAVPF 111\r\n',
      `a=candidate:0 1 udp 2130706431 203.0.113.3 ${port} typ host generation 0\r\n`,
      `a=candidate:1 1 UDP 2130706431 2001:db8::3 ${port} typ host generation 0\r\n`,
      'a=candidate:2 1 udp 2130706431 203.0.113.4 9000 typ host generation 0\r\n',
    ].join('');
  const { origin } = await open(
    (request, response) => {
      const answer = request.url?.includes('/whep/') ? sdp(8000) : JSON.stringify({ code: 0, sdp: sdp(8000) });
      response.writeHead(200, { 'content-length': answer.length }).end(answer);
    },
    { WEIR_RTC_LISTEN: '8000', RTC_PORT: '31800' },
  );
  const sendRequest = async (path: string, body: string) =>
    (await fetch(`${origin}/rtc/v1/${path}`, { method: 'POST', body })).text();
  expect(await sendRequest('whep/?app=live&stream=show', 'v=0')).toBe(sdp(31_800));
  const play = JSON.stringify({ streamurl: 'webrtc://host/live/show', sdp: 'v=0' });
  expect(JSON.parse(await sendRequest('play/', play))).toEqual({ code: 0, sdp: sdp(31_800) });
});
