import { describe, expect, test } from 'vitest';
import { dial, ended, openFrontDoor } from './front-door.fixture.ts';
import { hiddenPath, smugglingKinds } from './smuggling-kinds.fixture.ts';

/** A connection that waits for the rest of something is ended soon: what came until then is all that comes. */
const limits = { headersMs: 400, bodyIdleMs: 200, keepAliveMs: 400, lingerMs: 200 };

/** Answers to requests. 408 answers none: it ends the wait for the rest of one. */
function answersIn(text: string): number[] {
  const statuses = [...text.matchAll(/(?:^|\n)HTTP\/1\.1 (\d{3})|HTTP\/1\.1 (\d{3}) [A-Z]/g)];
  return statuses.map(([, a, b]) => Number(a ?? b)).filter((status) => status >= 200 && status !== 408);
}

/** All that comes until the connection ends, or until so many requests are answered. */
async function exchangePieces(port: number, pieces: readonly string[], most: number): Promise<string> {
  const socket = await dial(port);
  const { promise, resolve } = Promise.withResolvers<void>();
  let text = '';
  socket.setEncoding('latin1').on('data', (chunk: string) => {
    text += chunk;
    if (answersIn(text).length === most) resolve();
  });
  const isOver = Promise.race([promise, ended(socket)]);
  for (const piece of pieces) {
    socket.write(piece, 'latin1');
    // In packets of their own.
    await new Promise((wake) => setTimeout(wake, 20));
  }
  await isOver;
  return text;
}

test('the list has at least 54 smuggling kinds with distinct names', () => {
  expect(new Set(smugglingKinds.map(({ name }) => name)).size).toBe(smugglingKinds.length);
  expect(smugglingKinds.length).toBeGreaterThanOrEqual(54);
});

describe('request smuggling', () => {
  test.concurrent.each(smugglingKinds.map((kind) => [kind.name, kind] as const))(
    '%s: is refused, or is one request to both the front door and the control plane',
    async (_name, { pieces, isPipelined = false }) => {
      const seen: string[] = [];
      const { port } = await openFrontDoor(isPipelined ? {} : { limits }, (req, res) => {
        seen.push(req.url ?? '');
        req.resume().once('end', () => res.end(`answer to ${req.url}`));
      });
      const text = await exchangePieces(port, pieces, isPipelined ? 2 : Number.POSITIVE_INFINITY);
      const final = answersIn(text);
      const isHiddenSeen = seen.includes(hiddenPath);
      if (isPipelined) {
        expect(final).toHaveLength(isHiddenSeen ? 2 : 1);
        expect(seen.filter((url) => url === hiddenPath)).toHaveLength(isHiddenSeen ? 1 : 0);
      } else {
        expect(isHiddenSeen).toBe(false);
        expect(text).not.toContain('hidden');
        expect(final.length).toBeLessThanOrEqual(1);
        expect(seen.length).toBeLessThanOrEqual(1);
        if (final.some((status) => status === 400)) expect(text).toMatch(/\r\nconnection: close\r\n/i);
      }
    },
  );
});
