import { Readable } from 'node:stream';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { SharedMemory } from '../../delivery/shared-memory.ts';
import type { Exchange } from '../../http/exchange.ts';
import { Prepared } from '../../http/prepared.ts';
import { preparedRoomyPiece } from '../../packagers/hls/prepared-pieces.ts';
import { SegmentCache } from '../../packagers/hls/segment-cache.ts';
import { quietLog } from '../../quiet-log.fixture.ts';
import { dial, ended, exchange, get, openFrontDoor } from '../front-door.fixture.ts';

const requestText = (path: string, ...headers: string[]) =>
  `GET ${path} HTTP/1.1\r\n${['Host: a', ...headers].join('\r\n')}\r\n\r\n`;
const echo = (asked: Exchange) =>
  asked.answer(200, ['Content-Length', String(asked.url.length)], Buffer.from(asked.url));

/** Collects what a connection receives. */
async function listen(port: number) {
  const socket = await dial(port);
  let text = '';
  socket.setEncoding('latin1').on('data', (chunk: string) => {
    text += chunk;
  });
  return { socket, text: () => text };
}

const pieceBytes = 6 * 1024 * 1024 + 1;
const content = Buffer.alloc(pieceBytes, 'a segment of six megabytes, ');

/** Media from pieces in the memory file, as HLS has them. */
async function openPieces() {
  const memory = new SharedMemory(quietLog);
  await memory.open();
  onTestFinished(() => memory.close());
  const pieces = new SegmentCache(undefined, memory);
  const put = (path: string) =>
    pieces.put(path, preparedRoomyPiece(Buffer.concat([Buffer.alloc(1024), content]), 'video/mp2t'));
  put('/live/1.ts');
  const { port } = await openFrontDoor({
    media: (asked) => {
      const piece = pieces.get(asked.url);
      if (piece) asked.answerPrepared(piece);
      else echo(asked);
    },
  });
  return { memory, pieces, put, port };
}

describe('FastPath answers from the memory file', () => {
  test('arrive whole and in order at clients that read at once, late and with a request ahead', async () => {
    const { memory, pieces, put, port } = await openPieces();
    const clients = await Promise.all([0, 1, 2].map(() => listen(port)));
    clients[1]?.socket.pause();
    for (const { socket } of clients) socket.write(requestText('/live/1.ts'));
    await vi.waitFor(() => expect(clients[0]?.text().length).toBeGreaterThan(pieceBytes));
    expect(memory.bytes).toBeGreaterThanOrEqual(pieceBytes);
    clients[1]?.socket.write(requestText('/live/2.ts') + requestText('/live/3.ts'));
    // The segment leaves the playlist, and its memory goes to the next one, while a client still has it to read.
    pieces.delete('/live/1.ts');
    expect(memory.bytes).toBe(0);
    put('/live/4.ts');
    clients[0]?.socket.write(requestText('/live/4.ts'));
    clients[1]?.socket.resume();
    await vi.waitFor(() => expect(clients[1]?.text()).toMatch(/\/live\/2\.ts[\s\S]*\/live\/3\.ts$/));
    await vi.waitFor(() => expect(clients[0]?.text().length).toBeGreaterThan(2 * pieceBytes));
    await vi.waitFor(() => expect(clients[2]?.text().length).toBeGreaterThan(pieceBytes));
    for (const { text } of clients) {
      const head = text().slice(0, text().indexOf('\r\n\r\n') + 4);
      expect(head).toMatch(new RegExp(`^HTTP/1.1 200 OK\r\n[\\s\\S]*Content-Length: ${pieceBytes}\r\n`));
      expect(text().startsWith(content.toString('latin1'), head.length)).toBe(true);
    }
    expect(clients[0]?.text().endsWith(content.toString('latin1'))).toBe(true);
  });

  test('have the same forms as answers from buffers: HEAD, 304, and by another server', async () => {
    const { port, pieces } = await openPieces();
    const first = await get(port, '/live/1.ts', { headers: { connection: 'keep-alive' } });
    expect(first.text.length).toBe(pieceBytes);
    const head = await get(port, '/live/1.ts', { method: 'HEAD', headers: { connection: 'keep-alive' } });
    expect(head).toMatchObject({ status: 200, text: '' });
    expect(head.headers['content-length']).toBe(String(pieceBytes));
    const tag = String(first.headers.etag);
    expect(
      await get(port, '/live/1.ts', { headers: { connection: 'keep-alive', 'if-none-match': tag } }),
    ).toMatchObject({
      status: 304,
    });
    // A connection that is to end is one for Node's server.
    const long = await get(port, '/live/1.ts', { headers: { connection: 'close' } });
    expect(long.text).toBe(first.text);
    expect(pieces.get('/live/1.ts')?.body.equals(content)).toBe(true);
  });
});

describe('FastPath requests for media', () => {
  test('are answered in order on one connection, also when pipelined', async () => {
    const waiting: Exchange[] = [];
    const { port } = await openFrontDoor({ media: (asked) => void waiting.push(asked) });
    const { socket, text } = await listen(port);
    socket.write(requestText('/live/1.ts'));
    await vi.waitFor(() => expect(waiting).toHaveLength(1));
    socket.write(requestText('/live/2.ts'));
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(waiting).toHaveLength(1);
    for (const index of [0, 1]) {
      await vi.waitFor(() => expect(waiting).toHaveLength(index + 1));
      const asked = waiting[index];
      if (asked) echo(asked);
    }
    await vi.waitFor(() => expect(text()).toMatch(/\/live\/1\.ts[\s\S]*HTTP\/1\.1 200 OK[\s\S]*\/live\/2\.ts$/));
  });

  test('are answered with the common headers, a date and keep-alive', async () => {
    const { port } = await openFrontDoor({ media: echo });
    const answer = await get(port, '/live/a.ts', { headers: { connection: 'keep-alive' } });
    expect(answer.headers).toMatchObject({ server: 'Weir/1.2.3', connection: 'keep-alive' });
    expect(Math.abs(Date.parse(answer.headers.date ?? '') - Date.now())).toBeLessThan(3000);
  });

  test('can be followed by any other request on the same connection', async () => {
    const { port } = await openFrontDoor({ media: echo }, (_req, res) => res.end('from the console'));
    const { socket, text } = await listen(port);
    socket.write(requestText('/live/1.ts'));
    await vi.waitFor(() => expect(text()).toContain('/live/1.ts'));
    socket.write('POST /terraform/v1/x HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n{}');
    await vi.waitFor(() => expect(text()).toContain('from the console'));
    socket.write(requestText('/live/2.ts', 'Connection: close'));
    await ended(socket);
    expect(text()).toContain('/live/2.ts');
  });

  test('obey the parsing rules: no two requests in one, no hidden body, no path traversal', async () => {
    const served: string[] = [];
    const { port } = await openFrontDoor({
      media: (asked) => {
        served.push(asked.url);
        echo(asked);
      },
    });
    const smuggled = await exchange(
      port,
      `GET /live/a.ts HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n${requestText('/live/b.ts')}`,
    );
    expect(smuggled).toMatch(/^HTTP\/1\.1 400 /);
    expect(await get(port, '/live/%2e%2e/%2e%2e/etc/a.ts')).toMatchObject({ status: 400 });
    expect(served).toEqual([]);
  });

  test('wait for a client that reads slowly, and continue with the next request', async () => {
    const body = Buffer.alloc(8 * 1024 * 1024, 'x');
    const piece = new Prepared(body, ['Content-Type', 'video/mp2t']);
    const { port } = await openFrontDoor({
      media: (asked) => {
        if (asked.url === '/live/big.ts') asked.answerPrepared(piece);
        else echo(asked);
      },
    });
    const socket = await dial(port);
    socket.pause();
    socket.write(requestText('/live/big.ts'));
    socket.write(requestText('/live/next.ts'));
    let received = 0;
    let tail = '';
    socket.on('data', (chunk: Buffer) => {
      received += chunk.length;
      tail = (tail + chunk.toString('latin1')).slice(-200);
    });
    socket.resume();
    await vi.waitFor(() => expect(tail).toMatch(/\/live\/next\.ts$/));
    expect(received).toBeGreaterThan(body.length);
  });

  test('receive files in pieces and keep the connection open', async () => {
    const { port } = await openFrontDoor({
      media: (asked) => {
        if (asked.url === '/live/file.ts')
          asked.answerFrom(200, ['Content-Length', '6'], Readable.from([Buffer.from('abc'), Buffer.from('def')]));
        else echo(asked);
      },
    });
    const { socket, text } = await listen(port);
    socket.write(requestText('/live/file.ts'));
    await vi.waitFor(() => expect(text()).toMatch(/abcdef$/));
    socket.write(requestText('/live/next.ts'));
    await vi.waitFor(() => expect(text()).toMatch(/next\.ts$/));
  });

  test('are dropped when the client disconnects before the answer', async () => {
    const asked: Exchange[] = [];
    const { port } = await openFrontDoor({ media: (one) => void asked.push(one) });
    const { socket } = await listen(port);
    socket.write(requestText('/live/a.ts'));
    await vi.waitFor(() => expect(asked).toHaveLength(1));
    const over = new Promise<void>((resolve) => asked[0]?.onOver(resolve));
    socket.destroy();
    await over;
    expect([asked[0]?.isOver, asked[0] && echo(asked[0])]).toEqual([true, 0]);
  });

  test('name the client behind a trusted proxy', async () => {
    const addresses: string[] = [];
    const { port } = await openFrontDoor({
      config: { trustedProxies: ['127.0.0.1'] },
      media: (asked) => {
        addresses.push(asked.address);
        echo(asked);
      },
    });
    const headers = { connection: 'keep-alive', 'x-forwarded-for': '203.0.113.9' };
    await get(port, '/live/a.ts', { headers });
    // By the long way, too: a client that wants the connection closed.
    await get(port, '/live/a.ts', { headers: { ...headers, connection: 'close' } });
    expect(addresses).toEqual(['203.0.113.9', '203.0.113.9']);
  });

  test('may be pipelined only up to a limit', async () => {
    const { port } = await openFrontDoor({ media: () => undefined });
    const socket = await dial(port);
    socket.write(requestText('/live/a.ts'));
    const gone = ended(socket.resume());
    for (let count = 0; count < 400; count++) socket.write(requestText('/live/b.ts', `A: ${'x'.repeat(100)}`));
    await gone;
  });

  test('do not delay the shutdown of the server', async () => {
    const { door, port } = await openFrontDoor({ media: echo, limits: { closeMs: 5000 } });
    const { socket, text } = await listen(port);
    socket.write(requestText('/live/a.ts'));
    await vi.waitFor(() => expect(text()).toContain('/live/a.ts'));
    const before = performance.now();
    await Promise.all([door.close(), ended(socket)]);
    expect(performance.now() - before).toBeLessThan(2000);
  });
});
