import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { Readable } from 'node:stream';
import { expect, vi } from 'vitest';

const megabyte = Buffer.alloc(1 << 20, 'x');
export const bulk = 200;

/** Megabytes, made only as fast as they are taken. */
export function megabytes(count: number): Readable {
  let left = count;
  return new Readable({
    highWaterMark: 1 << 20,
    read() {
      this.push(left-- > 0 ? megabyte : null);
    },
  });
}

/** Waits until a count that has begun grows no more. */
export async function untilStill(count: () => number): Promise<void> {
  let seen = -1;
  await vi.waitFor(
    () => {
      const isStill = count() > 0 && count() === seen;
      seen = count();
      expect(isStill).toBe(true);
    },
    { interval: 100 },
  );
}

export async function bytesOf(stream: Readable): Promise<number> {
  let total = 0;
  stream.on('data', (chunk: Buffer) => {
    total += chunk.length;
  });
  await once(stream, 'end');
  return total;
}

export async function call(port: number, path: string, method = 'GET', headers: Record<string, string | number> = {}) {
  const req = request({ host: '127.0.0.1', port, path, method, headers, agent: false });
  req.on('error', () => undefined);
  const answer = once(req, 'response').then(([res]: IncomingMessage[]) => {
    if (!res) throw new Error('no response');
    return res;
  });
  return { req, answer };
}

/** Runs work while watching how far memory rises above where it began. */
export async function memoryRiseMb(work: () => Promise<void>): Promise<number> {
  const before = process.memoryUsage.rss();
  let peak = before;
  const watch = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage.rss());
  }, 20);
  await work();
  clearInterval(watch);
  return (Math.max(peak, process.memoryUsage.rss()) - before) / (1 << 20);
}
