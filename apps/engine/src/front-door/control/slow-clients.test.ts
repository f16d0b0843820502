import type { RequestListener } from 'node:http';
import { connect } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { describe, expect, test, vi } from 'vitest';
import { installPair, makePair } from '../../tls-pair.fixture.ts';
import { exchange, openFrontDoor } from '../front-door.fixture.ts';
import { bytesOf, call, megabytes } from './control-proxy.fixture.ts';

async function securePort({ door, dataDir }: Awaited<ReturnType<typeof openFrontDoor>>): Promise<number> {
  await installPair(dataDir, await makePair());
  await vi.waitFor(() => expect(door.listeners().at(-1)?.ready).toBe(true), { timeout: 10_000 });
  return door.httpsPort;
}

describe('ControlProxy with slow clients', () => {
  test('answers 408 to a body that pauses for longer than the limit', async () => {
    const left = vi.fn();
    const { port } = await openFrontDoor({ limits: { bodyIdleMs: 100 } }, (req) => {
      req.resume().once('error', left);
    });
    const text = await exchange(port, 'POST /api/a HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\nabc');
    expect(text).toMatch(/^HTTP\/1\.1 408 .*Connection: close/s);
    await vi.waitFor(() => expect(left).toHaveBeenCalled());
  });

  test('accepts a body that keeps coming for longer than any limit', async () => {
    const limits = { bodyIdleMs: 800, answerMs: 800, headersMs: 800, lingerMs: 800 };
    const { port } = await openFrontDoor({ limits }, async (req, res) => res.end(String(await bytesOf(req))));
    const { req, answer } = await call(port, '/api/a', 'POST', { 'Transfer-Encoding': 'chunked' });
    for (let sent = 0; sent < 12; sent++) {
      await new Promise((resolve) => setTimeout(resolve, 80));
      req.write('x');
    }
    req.end();
    expect((await (await answer).toArray()).join('')).toBe('12');
  });

  test('disconnects a client that reads nothing for too long', async () => {
    const cut = vi.fn();
    const { port } = await openFrontDoor({ limits: { stallMs: 100 } }, (_req, res) => {
      megabytes(64).pipe(res).once('close', cut);
    });
    const { req, answer } = await call(port, '/terraform/v1/down');
    req.end();
    const res = await answer;
    await vi.waitFor(() => expect(cut).toHaveBeenCalled());
    await expect(bytesOf(res)).rejects.toThrow();
  });

  test.each([
    ['HTTP', false],
    ['HTTPS', true],
  ])(
    'a refusal over %s reaches a client that sends a large body and closes after it',
    { timeout: 30_000 },
    async (_name, isSecure) => {
      const control: RequestListener = (_req, res) => res.writeHead(401).end('who are you');
      const opened = await openFrontDoor({ limits: { lingerMs: 10_000 }, certificatePollMs: 20 }, control);
      const port = isSecure ? await securePort(opened) : opened.port;
      const bytes = 48 << 20;
      for (const path of ['/api/a', '/live/x.flv']) {
        const socket = isSecure
          ? connectTls({ host: '127.0.0.1', port, rejectUnauthorized: false })
          : connect({ host: '127.0.0.1', port });
        const failed = vi.fn();
        socket.on('error', failed);
        let text = '';
        socket.setEncoding('latin1').on('data', (chunk: string) => {
          text += chunk;
        });
        socket.write(`POST ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: ${bytes}\r\n\r\n`);
        // Reads on only when all is sent, as many clients do: a reset would discard the answer.
        socket.pause();
        megabytes(48).pipe(socket);
        await new Promise((resolve) => socket.once('finish', resolve).once('close', resolve));
        socket.resume();
        await new Promise((resolve) => socket.once('close', resolve));
        expect(failed).not.toHaveBeenCalled();
        expect(text).toMatch(
          path === '/api/a' ? /^HTTP\/1\.1 401 .*Connection: close.*who are you/s : /^HTTP\/1\.1 404 /,
        );
      }
    },
  );

  test('an answered connection with an endless body ends after the limit', async () => {
    const limits = { lingerMs: 300 };
    const { port } = await openFrontDoor({ limits }, (_req, res) => res.writeHead(401).end('who are you'));
    const socket = connect({ host: '127.0.0.1', port, allowHalfOpen: true }).on('error', () => undefined);
    const startedMs = performance.now();
    socket.write('POST /api/a HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: 1000000\r\n\r\n');
    const drip = setInterval(() => socket.write('x'), 20);
    socket.resume();
    await new Promise((resolve) => socket.once('close', resolve));
    clearInterval(drip);
    expect(performance.now() - startedMs).toBeGreaterThan(250);
    expect(performance.now() - startedMs).toBeLessThan(5000);
  });

  test('reads the rest of an unwanted body for a limited time only', async () => {
    const { port } = await openFrontDoor({ limits: { lingerMs: 100 } });
    const text = await exchange(port, 'POST /live/x.flv HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\nabc');
    expect(text).toMatch(/^HTTP\/1\.1 404 /);
  });
});
