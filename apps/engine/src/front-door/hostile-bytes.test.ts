import { createLog } from '@weir/plane';
import { describe, expect, test, vi } from 'vitest';
import { expectFailure, parse } from './answers.fixture.ts';
import { dial, ended, exchange, get, openFrontDoor } from './front-door.fixture.ts';

describe('FrontDoor on hostile bytes', () => {
  const post = 'POST /api/a HTTP/1.1\r\nHost: a\r\n';
  test.each([
    ['noise', '\x16\x03\x01\x00\xa5\x01\x00\r\n\r\n'],
    ['no request line', 'hello\r\n\r\n'],
    ['another protocol version', 'GET / HTTP/3.7\r\nHost: a\r\n\r\n'],
    ['no version', 'GET /\r\n\r\n'],
    ['the HTTP/2 preface', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['no host', 'GET /api/a HTTP/1.1\r\n\r\n'],
    ['two hosts', 'GET /api/a HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n'],
    ['a host that is none', 'GET /api/a HTTP/1.1\r\nHost: a"><b\r\n\r\n'],
    ['absolute form', 'GET http://a/terraform/v1/x HTTP/1.1\r\nHost: a\r\n\r\n'],
    ['authority form', 'GET a:80 HTTP/1.1\r\nHost: a\r\n\r\n'],
    ['a space in the target', 'GET /api/a b HTTP/1.1\r\nHost: a\r\n\r\n'],
    ['NUL in a header', 'GET /api/a HTTP/1.1\r\nHost: a\r\nX: a\0b\r\n\r\n'],
    ['a space before the colon', `${post}Content-Length : 3\r\n\r\nabc`],
    ['a length and chunks', `${post}Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`],
    ['chunks and a length', `${post}Transfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\n0\r\n\r\n`],
    ['two lengths', `${post}Content-Length: 3\r\nContent-Length: 4\r\n\r\nabc`],
    ['two lengths in one', `${post}Content-Length: 3, 4\r\n\r\nabc`],
    ['a signed length', `${post}Content-Length: +3\r\n\r\nabc`],
    ['a huge length', `${post}Content-Length: 99999999999999999999999\r\n\r\nabc`],
    ['chunks that are not last', `${post}Transfer-Encoding: chunked, gzip\r\n\r\n0\r\n\r\n`],
    ['a coding before the chunks', `${post}Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n`],
    ['chunks twice', `${post}Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`],
    ['an unknown coding', `${post}Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n`],
    ['chunks in HTTP/1.0', 'POST /api/a HTTP/1.0\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'],
    ['a bad chunk size', `${post}Transfer-Encoding: chunked\r\n\r\nzz\r\nabc\r\n`],
    ['a bare LF in the headers', 'GET /api/a HTTP/1.1\nHost: a\n\n'],
  ])('%s: answers 400 on that connection and sends nothing to the control plane', async (_name, bytes) => {
    const served = vi.fn();
    const { port } = await openFrontDoor({}, (req, res) => {
      req.resume().once('end', () => served());
      res.on('close', () => undefined);
    });
    expectFailure(parse(await exchange(port, bytes)), 400, 1004);
    expect(served).not.toHaveBeenCalled();
    expect(await get(port, '/live/x.flv')).toMatchObject({ status: 404 });
  });

  test('answers 431 to headers above 16 KB', async () => {
    const { port } = await openFrontDoor();
    const flood = `X-Flood: ${'x'.repeat(1000)}\r\n`.repeat(64);
    expectFailure(parse(await exchange(port, `GET / HTTP/1.1\r\nHost: a\r\n${flood}\r\n`)), 431, 1004);
    expectFailure(parse(await exchange(port, `GET /${'x'.repeat(20_000)} HTTP/1.1\r\nHost: a\r\n\r\n`)), 431, 1004);
  });

  test('answers 431 to a flood of small headers, and keeps its own headers beside the allowed number', async () => {
    const { port } = await openFrontDoor({}, (req, res) => res.end(`peer=${req.headers['x-weir-peer']}`));
    const requestText = (count: number) =>
      `GET /api/a HTTP/1.1\r\nHost: a\r\nConnection: close\r\n${'a:\r\n'.repeat(count)}\r\n`;
    expectFailure(parse(await exchange(port, requestText(3000))), 431, 1004);
    expect(await exchange(port, requestText(400))).toMatch(/ 200 .*peer=direct/s);
  });

  test('answers or refuses any byte at any position, and affects only that connection', async () => {
    const log = createLog('engine', 'error');
    const failed = vi.spyOn(log, 'error');
    const { port } = await openFrontDoor({ log, limits: { bodyIdleMs: 100 } }, (req, res) => {
      req.resume().once('end', () => res.end(`saw ${req.url}`));
    });
    const places = [
      (byte: string) => `GET /api/${byte} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`,
      (byte: string) => `GET /?${byte} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`,
      (byte: string) => `GET /api/a HTTP/1.1\r\nHost: a\r\nX-${byte}: 1\r\nConnection: close\r\n\r\n`,
      (byte: string) => `GET /api/a HTTP/1.1\r\nHost: a\r\nX: a${byte}b\r\nConnection: close\r\n\r\n`,
      (byte: string) => `GET /api/a HTTP/1.1\r\nHost: a${byte}\r\nConnection: close\r\n\r\n`,
      (byte: string) => `POST /api/a HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: 0${byte}\r\n\r\n`,
    ];
    for (const place of places) {
      const answers = await Promise.all(
        Array.from({ length: 256 }, (_, byte) => exchange(port, place(String.fromCharCode(byte)))),
      );
      for (const answer of answers) expect(answer).toMatch(/^HTTP\/1\.1 [2-4]\d\d /);
    }
    expect(failed).not.toHaveBeenCalled();
  });

  test('does not mix the answer to garbage into the response before it', async () => {
    const { port } = await openFrontDoor({}, (_req, res) => {
      res.writeHead(200, { 'Content-Length': '10' }).write('begin');
    });
    const socket = await dial(port);
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk;
    });
    socket.write('GET /api/a HTTP/1.1\r\nHost: a\r\n\r\n');
    await vi.waitFor(() => expect(text).toContain('begin'));
    socket.write('garbage\r\n\r\n');
    await ended(socket);
    expect(text).toMatch(/begin$/);
  });
});

describe('FrontDoor with slow headers', () => {
  test.each([
    ['nothing at all', ''],
    ['half a request', 'GET / HTTP/1.1\r\nHost: a\r\n'],
  ])('cuts %s with 408 after the limit', async (_name, bytes) => {
    const { port } = await openFrontDoor({ limits: { headersMs: 100 } });
    const text = await exchange(port, bytes);
    expectFailure(parse(text), 408, 1004);
  });

  test('does not extend the limit for a header line now and then', async () => {
    const { port } = await openFrontDoor({ limits: { headersMs: 200 } });
    const socket = await dial(port);
    socket.write('GET / HTTP/1.1\r\nHost: a\r\n');
    const drip = setInterval(() => socket.write('X-A: b\r\n'), 20);
    socket.resume();
    await ended(socket);
    clearInterval(drip);
  });

  test('closes an idle connection after a limit of its own', async () => {
    const { port } = await openFrontDoor({ limits: { keepAliveMs: 50 } });
    expect(await exchange(port, 'GET /elsewhere HTTP/1.1\r\nHost: a\r\n\r\n')).toMatch(/ 302 /);
  });
});
