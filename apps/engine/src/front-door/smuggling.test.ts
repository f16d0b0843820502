import { describe, expect, test } from 'vitest';
import { dial, openFrontDoor } from './front-door.fixture.ts';
import { hiddenPath, smugglingKinds } from './smuggling-kinds.fixture.ts';

/** Time without a byte after which no more answers are expected. */
const quietMs = 400;

async function answersTo(port: number, pieces: readonly string[]): Promise<{ text: string; hasEnded: boolean }> {
  const socket = await dial(port);
  let [text, hasEnded] = ['', false];
  socket.setEncoding('latin1').on('data', (chunk: string) => {
    text += chunk;
  });
  socket
    .on('error', () => undefined)
    .once('close', () => {
      hasEnded = true;
    });
  for (const piece of pieces) {
    socket.write(piece, 'latin1');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  let [last, quiet] = ['', 0];
  while (!hasEnded && quiet < quietMs) {
    await new Promise((resolve) => setTimeout(resolve, 20));
    quiet = text === last ? quiet + 20 : 0;
    last = text;
  }
  socket.destroy();
  return { text, hasEnded };
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
      const { port } = await openFrontDoor({ limits: { bodyIdleMs: 200 } }, (req, res) => {
        seen.push(req.url ?? '');
        req.resume().once('end', () => res.end(`answer to ${req.url}`));
      });
      const { text, hasEnded } = await answersTo(port, pieces);
      const statuses = [...text.matchAll(/(?:^|\n)HTTP\/1\.1 (\d{3})|HTTP\/1\.1 (\d{3}) [A-Z]/g)].map(([, a, b]) =>
        Number(a ?? b),
      );
      const final = statuses.filter((status) => status >= 200);
      const isHiddenSeen = seen.includes(hiddenPath);
      if (isPipelined) {
        expect(final).toHaveLength(isHiddenSeen || !hasEnded ? 2 : 1);
        expect(seen.filter((url) => url === hiddenPath)).toHaveLength(isHiddenSeen ? 1 : 0);
      } else {
        expect(isHiddenSeen).toBe(false);
        expect(text).not.toContain('hidden');
        expect(final.length).toBeLessThanOrEqual(1);
        expect(seen.length).toBeLessThanOrEqual(1);
        if (final.some((status) => status === 400)) expect(hasEnded).toBe(true);
      }
    },
  );
});
