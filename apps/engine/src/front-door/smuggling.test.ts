import type { RequestListener } from 'node:http';
import { expect, test } from 'vitest';
import { dial, ended, openFrontDoor } from './front-door.fixture.ts';
import { hiddenPath, type SmugglingKind, smugglingKinds } from './smuggling-kinds.fixture.ts';

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

test('S47: the list has at least 54 smuggling kinds with distinct names', () => {
  expect(new Set(smugglingKinds.map(({ name }) => name)).size).toBe(smugglingKinds.length);
  expect(smugglingKinds.length).toBeGreaterThanOrEqual(54);
});

/** Front doors that the kinds are tried on side by side. */
const doors = 12;

/** Describes why an attempt succeeded; empty when it was refused, or was one request to both the front door and the control plane. */
function faultOf(kind: SmugglingKind, text: string, seen: readonly string[]): string {
  const final = answersIn(text);
  const hidden = seen.filter((url) => url === hiddenPath).length;
  if (kind.isPipelined) {
    if (hidden > 1) return `the second request arrives ${hidden} times`;
    return final.length === 1 + hidden ? '' : `${final.length} answers to ${1 + hidden} requests`;
  }
  if (hidden > 0) return 'the hidden request arrives';
  if (text.includes('hidden')) return 'the hidden request is answered';
  if (final.length > 1) return `${final.length} answers to one request`;
  if (seen.length > 1) return `${seen.length} requests arrive`;
  return final.includes(400) && !/\r\nconnection: close\r\n/i.test(text) ? 'the connection stays after a refusal' : '';
}

// One test for all: what a test of its own registers to be closed belongs to whichever of several concurrent tests runs just then.
test('S47: every kind of smuggling is refused, or is one request to both the front door and the control plane', async () => {
  const kinds = [...smugglingKinds];
  const faults: string[] = [];
  const tryKinds = async () => {
    let seen: string[] = [];
    const answer: RequestListener = (req, res) => {
      seen.push(req.url ?? '');
      req.resume().once('end', () => res.end(`answer to ${req.url}`));
    };
    const patient = await openFrontDoor({}, answer);
    const hasty = await openFrontDoor({ limits }, answer);
    for (let kind = kinds.pop(); kind; kind = kinds.pop()) {
      seen = [];
      const { isPipelined = false } = kind;
      const { port } = isPipelined ? patient : hasty;
      const text = await exchangePieces(port, kind.pieces, isPipelined ? 2 : Number.POSITIVE_INFINITY);
      const fault = faultOf(kind, text, seen);
      if (fault !== '') faults.push(`${kind.name}: ${fault}`);
    }
  };
  await Promise.all(Array.from({ length: doors }, tryKinds));
  expect(faults).toEqual([]);
});
