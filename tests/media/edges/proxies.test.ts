import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type ClientHttp2Session, type ClientHttp2Stream, connect } from 'node:http2';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { connect as connectTls } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Caddy, hasCaddy } from '../../caddy.fixture.ts';
import { Nginx } from '../../nginx.fixture.ts';
import { until } from '../../weir.fixture.ts';
import { inputs, Publisher } from '../fixtures/ffmpeg.fixture.ts';
import { Live } from '../fixtures/live.fixture.ts';

/** Other than the proxies' own. */
const viewerAddress = '127.0.0.2';

const directory = () => join(live.weir.dataDir, 'config');
const key = () => join(directory(), 'proxy.key');
const certificate = () => join(directory(), 'proxy.crt');

let live: Live;
let publisher: Publisher;
beforeAll(async () => {
  live = await Live.start({ WEIR_TRUSTED_PROXIES: '127.0.0.1,::1', SRS_HTTPS: 'off' });
  const pair = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-keyout', key()];
  const name = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
  const request = ['req', '-x509', '-days', '2', ...pair, '-out', certificate(), ...name];
  execFileSync('openssl', request, { stdio: 'ignore' });
  publisher = new Publisher(live.publishUrl('show'), inputs.both);
  await until(() => live.isLive('show'), 'show is live');
});
afterAll(async () => {
  await publisher?.stop('SIGKILL');
  await live?.close();
});

/** Connects like a browser: HTTP/2 over TLS with a checked certificate. */
function visit(port: number): ClientHttp2Session {
  const options = { ca: readFileSync(certificate()), servername: 'localhost', ALPNProtocols: ['h2'] };
  const to = { host: '127.0.0.1', port, localAddress: viewerAddress };
  return connect(`https://localhost:${port}`, { createConnection: () => connectTls({ ...to, ...options }) });
}

async function sendRequest(session: ClientHttp2Session, path: string, method = 'GET', body?: Buffer, type = '') {
  const headers = { ':path': path, ':method': method, ...live.headers, ...(type && { 'content-type': type }) };
  const stream = session.request(headers, { endStream: body === undefined });
  if (body) stream.end(body);
  const [head] = (await once(stream, 'response')) as [Record<string, unknown>];
  return { stream, status: head[':status'], type: String(head['content-type']) };
}

const textOf = async (stream: ClientHttp2Stream) => String(await buffer(stream));

const proxies = [
  { name: 'nginx', start: Nginx.proxy },
  // Needs a program that few machines have. Where it is missing this is no test, rather than a skipped one.
  ...(hasCaddy() ? [{ name: 'Caddy', start: Caddy.proxy }] : []),
];

describe.each(proxies)('$name with HTTPS in front, with the configuration file that owners are given', ({ start }) => {
  let proxy: Nginx | Caddy;
  let session: ClientHttp2Session;
  beforeAll(async () => {
    proxy = await start({ upstreamPort: live.weir.httpPort, key: key(), certificate: certificate() });
    session = visit(proxy.port);
    await once(session, 'connect');
  });
  afterAll(async () => {
    session?.destroy();
    await proxy?.close();
  });

  it('passes console, calls and uploads larger than the default limit of the proxy', async () => {
    const page = await sendRequest(session, '/mgmt/');
    expect([page.status, page.type]).toEqual([200, 'text/html; charset=utf-8']);
    expect(await textOf(page.stream)).toContain('<html');
    const head = '--b\r\nContent-Disposition: form-data; name="f"; filename="a.mp4"\r\n\r\n';
    const form = Buffer.concat([Buffer.from(head), Buffer.alloc(3_000_000, 'x'), Buffer.from('\r\n--b--\r\n')]);
    const path = '/terraform/v1/ffmpeg/vlive/upload/a.mp4';
    const sent = await sendRequest(session, path, 'POST', form, 'multipart/form-data; boundary=b');
    expect(sent.status).toBe(200);
    expect(JSON.parse(await textOf(sent.stream))).toMatchObject({ code: 0 });
  });

  it('passes events as they happen', async () => {
    const { stream, status, type } = await sendRequest(session, '/terraform/v1/mgmt/events');
    expect([status, type]).toEqual([200, 'text/event-stream']);
    let heard = '';
    stream.on('data', (chunk) => (heard += chunk));
    await until(() => heard.split('event: samples').length > 3, 'three seconds were told');
    expect(stream.closed).toBe(false);
    stream.close();
  });

  it('passes HTTP-FLV without a time limit, and the address of the viewer', async () => {
    const { stream, status } = await sendRequest(session, '/live/show.flv');
    expect(status).toBe(200);
    const pieces: Buffer[] = [];
    stream.on('data', (chunk) => pieces.push(chunk));
    const bytes = () => pieces.reduce((sum, { length }) => sum + length, 0);
    await until(() => bytes() > 0, 'it begins');
    const begun = bytes();
    await until(() => bytes() > begun + 100_000, 'it goes on');
    expect(pieces[0]?.subarray(0, 3).toString()).toBe('FLV');
    const place = { app: 'live', stream: 'show' };
    const addresses = async () => {
      const { viewers } = (await live.post('/terraform/v1/mgmt/streams/detail', place)).data;
      const ofFlv = viewers.filter(({ protocol }: { protocol: string }) => protocol === 'flv');
      return ofFlv.map(({ address }: { address: string }) => address);
    };
    await until(async () => (await addresses()).includes(viewerAddress), 'the viewer is known by its address');
    stream.close();
    await until(async () => !(await addresses()).includes(viewerAddress), 'it is known that the viewer left');
  });

  it('passes HLS in a session', async () => {
    let playlist = '/live/show.m3u8';
    let text = '';
    await until(async () => {
      text = await textOf((await sendRequest(session, playlist)).stream);
      const inner = text.split('\n').find((line) => /\.m3u8/.test(line));
      if (inner) playlist = new URL(inner, `https://localhost${playlist}`).href.slice('https://localhost'.length);
      return /\.ts/.test(text);
    }, 'there is a segment');
    expect(playlist).toContain('hls_ctx=');
    const segment = text.split('\n').find((line) => /\.ts/.test(line)) ?? '';
    const { stream, status } = await sendRequest(session, `/live/${segment.trim()}`);
    expect(status).toBe(200);
    expect((await buffer(stream))[0]).toBe(0x47);
  });
});
