import { once } from 'node:events';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { constants } from 'node:http2';
import { get as getOverTls } from 'node:https';
import { buffer, text } from 'node:stream/consumers';
import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { Exchange } from '../../http/exchange.ts';
import { Prepared } from '../../http/prepared.ts';
import { makePair, type Pair } from '../../tls-pair.fixture.ts';
import { ask, openSecure, openSession, read } from './http2.fixture.ts';
import { getFrame, RawHttp2 } from './raw-http2.fixture.ts';

let pair: Pair;
beforeAll(async () => {
  pair = await makePair();
});

const segment = Buffer.alloc(6 * 1024 * 1024);
for (let at = 0; at < segment.length; at += 4) segment.writeUInt32BE(at, at);

/** Answers with what it was asked. */
const echo: RequestListener = async (req: IncomingMessage, res: ServerResponse) => {
  const { method, url, headers } = req;
  const body = await text(req).catch(() => '');
  res.setHeader('Content-Type', 'application/json').end(JSON.stringify({ method, url, headers, body }));
};

describe('the HTTPS port', () => {
  test('speaks HTTP/2 with clients that can, and HTTP/1.1 with others, by the same rules', async () => {
    const { port } = await openSecure(pair, {}, echo);
    const session = await openSession(port);
    expect(session.alpnProtocol).toBe('h2');
    const path = '/terraform/v1/mgmt/versions';
    const answer = await ask(session, { ':path': path, authorization: 'Bearer a', cookie: 'a=1' });
    const old = await new Promise<IncomingMessage>((resolve, reject) =>
      getOverTls(
        { port, path, rejectUnauthorized: false, headers: { authorization: 'Bearer a', cookie: 'a=1' } },
        resolve,
      ).once('error', reject),
    );
    expect(old.httpVersion).toBe('1.1');
    const [now, then] = [JSON.parse(String(answer.body)), JSON.parse(await text(old))];
    const ownOfConnection = { connection: undefined, 'x-weir-connection': undefined, host: undefined };
    expect({ ...now.headers, ...ownOfConnection, 'x-forwarded-host': '' }).toEqual({
      ...then.headers,
      ...ownOfConnection,
      'x-forwarded-host': '',
    });
    expect(now.headers.host).toBe(`127.0.0.1:${port}`);
    expect(answer.headers).toMatchObject({ ':status': 200, server: 'Weir/1.2.3', 'access-control-allow-origin': '*' });
    const { connection: _, 'keep-alive': __, ...kept } = old.headers;
    expect(answer.headers).toMatchObject({ ...kept, date: expect.any(String) });
  });

  test('passes bodies of any length on, and answers before the end of one', async () => {
    const { port } = await openSecure(pair, {}, (req, res) => {
      if (req.url === '/terraform/v1/early') res.writeHead(413, { 'Content-Length': '0' }).end();
      else void buffer(req).then((body) => res.end(String(body.length)));
    });
    const session = await openSession(port);
    const upload = { ':method': 'POST', ':path': '/terraform/v1/upload' };
    expect(String((await ask(session, upload, segment)).body)).toBe(String(segment.length));
    const known = { ...upload, 'content-length': String(segment.length) };
    expect(String((await ask(session, known, segment)).body)).toBe(String(segment.length));
    expect(String((await ask(session, { ...upload, expect: '100-continue' }, 'abc')).body)).toBe('3');
    const early = session.request({ ...upload, ':path': '/terraform/v1/early' }, { endStream: false });
    early.write('something');
    const [headers] = (await once(early, 'response')) as [Record<string, number>];
    expect(headers[':status']).toBe(413);
    expect((await ask(session, { ':path': '/terraform/v1/next' })).headers[':status']).toBe(200);
  });

  test('S38: answers a body that stops coming, and the connection goes on', async () => {
    const { port } = await openSecure(pair, { limits: { bodyIdleMs: 300 } }, echo);
    const session = await openSession(port);
    const stalled = session.request({ ':method': 'POST', ':path': '/terraform/v1/upload' }, { endStream: false });
    stalled.write('something');
    expect((await read(stalled)).headers[':status']).toBe(408);
    expect((await ask(session, { ':path': '/terraform/v1/next' })).headers[':status']).toBe(200);
  });

  test('S51: refuses two hosts, an invalid host, no host and CONNECT, and answers preflights and redirects', async () => {
    const { port } = await openSecure(pair, {}, echo);
    const session = await openSession(port);
    const status = async (headers: Record<string, string>) => (await ask(session, headers)).headers[':status'];
    expect(await status({ ':path': '/terraform/v1/x', ':authority': 'a.example', host: 'b.example' })).toBe(400);
    expect(await status({ ':path': '/terraform/v1/x', ':authority': 'a.example', host: 'a.example' })).toBe(200);
    expect(await status({ ':path': '/terraform/v1/x', ':authority': 'a!.example' })).toBe(400);
    expect(await status({ ':path': '/live/%2e%2e/%2e%2e/etc/a.ts' })).toBe(400);
    expect(await status({ ':method': 'TRACE', ':path': '/' })).toBe(405);
    expect(await status({ ':method': 'OPTIONS', ':path': '/terraform/v1/x' })).toBe(200);
    expect((await ask(session, { ':path': '/nowhere' })).headers).toMatchObject({ ':status': 302, location: '/mgmt' });
    const connect = session.request({ ':method': 'CONNECT', ':authority': 'a.example:443' });
    const [headers] = (await once(connect, 'response')) as [Record<string, number>];
    expect(headers[':status']).toBe(405);
  });

  test('streams an answer without an end, as the event stream of the console is, until either side leaves', async () => {
    const answers: ServerResponse[] = [];
    const { port } = await openSecure(pair, {}, (_req, res) => {
      answers.push(res);
      res.writeHead(200, { 'Content-Type': 'text/event-stream' });
      res.write('data: 1\n\n');
    });
    const session = await openSession(port);
    const events = session.request({ ':path': '/terraform/v1/mgmt/events' });
    const [first] = (await once(events, 'data')) as [Buffer];
    expect(String(first)).toBe('data: 1\n\n');
    const gone = once(answers[0] as ServerResponse, 'close');
    events.close(constants.NGHTTP2_CANCEL);
    await gone;
  });
});

describe('media over HTTP/2', () => {
  const piece = new Prepared(segment, ['Content-Type', 'video/mp2t'], { tag: '"a"' });
  const playlist = new Prepared(Buffer.from('#EXTM3U\n'.repeat(200)), [], { isText: true, tag: '"b"' });
  const serve = (asked: Exchange) => {
    if (asked.url === '/live/a.m3u8') asked.answerPrepared(playlist);
    else asked.answerPrepared(piece);
  };

  test('has the forms of an answer: whole, compressed, HEAD, unchanged', async () => {
    const { port } = await openSecure(pair, { media: serve });
    const session = await openSession(port);
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, index) => ask(session, { ':path': `/live/${index}.ts` })),
    );
    for (const { body } of answers) expect(body.equals(segment)).toBe(true);
    const zipped = await ask(session, { ':path': '/live/a.m3u8', 'accept-encoding': 'gzip' });
    expect(zipped.headers).toMatchObject({ 'content-encoding': 'gzip', 'content-length': String(zipped.body.length) });
    const head = await ask(session, { ':path': '/live/a.ts', ':method': 'HEAD' });
    expect([head.headers['content-length'], head.body.length]).toEqual([String(segment.length), 0]);
    const unchanged = await ask(session, { ':path': '/live/a.ts', 'if-none-match': '"a"' });
    expect([unchanged.headers[':status'], unchanged.body.length]).toEqual([304, 0]);
  });

  test('S46: is not encrypted as a whole for a client that does not read, and others of the connection go on', async () => {
    const waiting: Exchange[] = [];
    const { port } = await openSecure(pair, { media: (asked) => void waiting.push(asked) });
    const session = await openSession(port);
    // Room for others beside what the slow one leaves unread.
    session.setLocalWindowSize(8 * 1024 * 1024);
    const slow = session.request({ ':path': '/live/slow.ts' });
    slow.pause();
    await vi.waitFor(() => expect(waiting).toHaveLength(1));
    const out = waiting[0]?.startStream([]);
    out?.write(segment);
    const quick = session.request({ ':path': '/live/quick.ts' });
    await vi.waitFor(() => expect(waiting).toHaveLength(2));
    waiting[1]?.answerPrepared(piece);
    expect((await read(quick)).body.equals(segment)).toBe(true);
    expect(out?.writableLength).toBe(segment.length);
    const over = new Promise<void>((resolve) => void out?.once('close', resolve));
    slow.close(constants.NGHTTP2_CANCEL);
    await over;
  });

  test('tells whoever waits for an answer that its client has left, though the connection stays', async () => {
    const waiting: Exchange[] = [];
    const { port } = await openSecure(pair, { media: (asked) => void waiting.push(asked) });
    const session = await openSession(port);
    const stream = session.request({ ':path': '/live/a.m3u8' });
    await vi.waitFor(() => expect(waiting).toHaveLength(1));
    const over = new Promise<void>((resolve) => waiting[0]?.onOver(resolve));
    stream.close(constants.NGHTTP2_CANCEL);
    await over;
    expect([waiting[0]?.isOver, waiting[0]?.socket.destroyed]).toEqual([true, false]);
    expect(waiting[0]?.answerPrepared(piece)).toBe(0);
  });
});

describe('connections by HTTP/2', () => {
  test('end after their requests when the server closes', async () => {
    const waiting: Exchange[] = [];
    const { door, port } = await openSecure(pair, {
      media: (asked) => void waiting.push(asked),
      limits: { closeMs: 5000 },
    });
    const session = await openSession(port);
    const answer = ask(session, { ':path': '/live/a.ts' });
    await vi.waitFor(() => expect(waiting).toHaveLength(1));
    const closed = door.close();
    await once(session, 'goaway');
    waiting[0]?.answer(200, [], Buffer.from('last'));
    expect(String((await answer).body)).toBe('last');
    await closed;
  });

  test('make room for newcomers, the one first that has waited longest', async () => {
    const { port } = await openSecure(pair, { limits: { maxConnections: 2 } });
    const [first, second] = [await openSession(port), await openSession(port)];
    for (const session of [first, second]) await ask(session, { ':path': '/live/a.ts' });
    const closed = once(first, 'close');
    await openSession(port);
    await closed;
    expect(second.destroyed).toBe(false);
  });

  test('end when they have been idle for long', async () => {
    const { port } = await openSecure(pair, { limits: { keepAliveMs: 200 } });
    const session = await openSession(port);
    const [code] = (await once(session, 'goaway')) as [number];
    expect(code).toBe(constants.NGHTTP2_NO_ERROR);
  });

  test('S51: have a limited number of requests, each and those of a network together', async () => {
    const waiting: Exchange[] = [];
    const { port } = await openSecure(pair, {
      media: (asked) => void waiting.push(asked),
      limits: { http2Requests: { network: 70, site: 70, region: 70 } },
    });
    const clients = [await RawHttp2.connect(port), await RawHttp2.connect(port)];
    onTestFinished(() => clients.forEach(({ socket }) => void socket.destroy()));
    for (const client of clients) {
      for (let stream = 1; stream < 201; stream += 2) client.send(getFrame(stream, '/live/a.m3u8'));
    }
    await vi.waitFor(() => expect(clients.map(({ resets }) => resets.length).sort()).toEqual([36, 94]));
    expect(waiting).toHaveLength(70);
    const codes = new Set(clients.flatMap(({ resets }) => resets));
    expect([...codes]).toEqual([constants.NGHTTP2_REFUSED_STREAM]);
  });
});
