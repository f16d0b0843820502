import { describe, expect, test, vi } from 'vitest';
import { exchange, openFrontDoor } from '../front-door.fixture.ts';
import { bytesOf, call, megabytes } from './control-proxy.fixture.ts';

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

  test('reads the rest of an unwanted body for a limited time only', async () => {
    const { port } = await openFrontDoor({ limits: { lingerMs: 100 } });
    const text = await exchange(port, 'POST /live/x.flv HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\nabc');
    expect(text).toMatch(/^HTTP\/1\.1 404 /);
  });
});
