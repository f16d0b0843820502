import { describe, expect, test } from 'vitest';
import { exchange, openFrontDoor } from './front-door.fixture.ts';
import { hiddenPath, smugglingKinds } from './smuggling-kinds.fixture.ts';

/** Each connection is ended soon, whatever it waits for: what came until then is all that comes. */
const limits = { headersMs: 400, bodyIdleMs: 200, keepAliveMs: 400, lingerMs: 200 };

test('the list has at least 54 smuggling kinds with distinct names', () => {
  expect(new Set(smugglingKinds.map(({ name }) => name)).size).toBe(smugglingKinds.length);
  expect(smugglingKinds.length).toBeGreaterThanOrEqual(54);
});

describe('request smuggling', () => {
  test.concurrent.each(smugglingKinds.map((kind) => [kind.name, kind] as const))(
    '%s: is refused, or is one request to both the front door and the control plane',
    async (_name, { pieces, isPipelined = false }) => {
      const seen: string[] = [];
      const { port } = await openFrontDoor({ limits }, (req, res) => {
        seen.push(req.url ?? '');
        req.resume().once('end', () => res.end(`answer to ${req.url}`));
      });
      const text = await exchange(port, ...pieces);
      const statuses = [...text.matchAll(/(?:^|\n)HTTP\/1\.1 (\d{3})|HTTP\/1\.1 (\d{3}) [A-Z]/g)].map(([, a, b]) =>
        Number(a ?? b),
      );
      // 408 answers no request: it ends the wait for the rest of one.
      const final = statuses.filter((status) => status >= 200 && status !== 408);
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
