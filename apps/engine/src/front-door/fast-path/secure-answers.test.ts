import { once } from 'node:events';
import type { Socket } from 'node:net';
import { connect } from 'node:tls';
import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { Exchange } from '../../http/exchange.ts';
import { installPair, makePair, type Pair } from '../../tls-pair.fixture.ts';
import { openFrontDoor } from '../front-door.fixture.ts';

let pair: Pair;
beforeAll(async () => {
  pair = await makePair();
});

const segment = Buffer.alloc(24 * 1024 * 1024);
for (let at = 0; at < segment.length; at += 4) segment.writeUInt32BE(at, at);
const answer = (asked: Exchange) => asked.answer(200, ['Content-Length', String(segment.length)], segment);

async function openSecure(media: (asked: Exchange) => void): Promise<number> {
  const { door, dataDir } = await openFrontDoor({ media, certificatePollMs: 20 });
  await installPair(dataDir, pair);
  await vi.waitFor(() => expect(door.listeners().find(({ protocol }) => protocol === 'https')?.ready).toBe(true));
  return door.httpsPort;
}

describe.each([
  ['the fast path', ''],
  // A header that the fast path leaves to the HTTP server.
  ['the HTTP server', 'Connection: keep-alive, x\r\n'],
])('a segment over HTTPS, answered by %s', (_name, header) => {
  test('S46: is not encrypted as a whole for a client that does not read', async () => {
    const sockets: Socket[] = [];
    const port = await openSecure((asked) => {
      sockets.push(asked.socket);
      answer(asked);
    });
    const peer = connect({ port, host: '127.0.0.1', rejectUnauthorized: false });
    onTestFinished(() => void peer.destroy());
    await once(peer, 'secureConnect');
    peer.write(`GET /live/a.ts HTTP/1.1\r\nHost: a\r\n${header}\r\n`);
    await vi.waitFor(() => expect(sockets[0]?.writableLength).toBeGreaterThan(0));
    // Leaves the system time to take what it takes. A whole segment would be waiting from the first moment.
    const seen: number[] = [];
    await vi.waitFor(() => {
      seen.push(sockets[0]?.writableLength ?? 0);
      expect(seen.length).toBeGreaterThan(8);
    });
    expect(Math.max(...seen)).toBeLessThanOrEqual(256 * 1024 + 1024);
    expect(seen.at(-1)).toBeGreaterThan(0);
  });

  test('arrives complete, and the connection accepts another request', async () => {
    const port = await openSecure(answer);
    const peer = connect({ port, host: '127.0.0.1', rejectUnauthorized: false });
    onTestFinished(() => void peer.destroy());
    await once(peer, 'secureConnect');
    let [chunks, bytes] = [[] as Buffer[], 0];
    peer.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      bytes += chunk.length;
    });
    for (const path of ['/live/a.ts', '/live/b.ts']) {
      [chunks, bytes] = [[], 0];
      peer.write(`GET ${path} HTTP/1.1\r\nHost: a\r\n${header}\r\n`);
      await vi.waitFor(() => expect(bytes).toBeGreaterThan(segment.length));
      const whole = Buffer.concat(chunks);
      expect(whole.toString('latin1', 0, 15)).toBe('HTTP/1.1 200 OK');
      expect(whole.subarray(whole.indexOf('\r\n\r\n') + 4).equals(segment)).toBe(true);
    }
  });
});
