import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { openCallers } from '../srt-callers.fixture.ts';
import { type Claims, RawCaller } from './srt-handshake.fixture.ts';

const megabyte = 1024 * 1024;
const accepted = -1;
/** A reason, as handshakes carry it. */
const notFound = 2404;

const known = { find: (_place: { readonly name: string }): undefined => undefined };
let server: Awaited<ReturnType<typeof openCallers>>;
let caller: RawCaller;
let names = 0;

const publish = () => ({ streamId: `#!::r=live/s${names++},m=publish` });

/** True if a handshake got an answer. A normal one follows it and is always answered. */
async function isHeard(claims: Claims): Promise<boolean> {
  const id = await caller.throwConclusion({ ...publish(), ...claims });
  expect(await caller.conclude(publish())).toBe(accepted);
  return caller.answerTo(id) !== undefined;
}

beforeAll(async () => {
  server = await openCallers(known);
  caller = await RawCaller.open(server.port);
});
afterAll(async () => {
  caller.close();
  await server.close();
});

describe('an SRT handshake', () => {
  it('S33: that claims a flow window of 60 million is dropped, and costs no memory', async () => {
    expect(await isHeard({})).toBe(true);
    const before = process.memoryUsage.rss();
    for (const window of [60_000_000, 0x7fff_ffff, -1]) expect(await isHeard({ window })).toBe(false);
    expect(process.memoryUsage.rss() - before).toBeLessThan(10 * megabyte);
  });

  it.each<[string, Claims]>([
    [
      'a plan for error correction, which libsrt would make room for',
      { extensions: [[7, 'fec,cols:20000,rows:20000']] },
    ],
    ['one behind many other extensions', { extensions: [...Array(9).fill([99, 'abcd']), [7, 'fec,cols:9,rows:9999']] }],
    ['more extensions than anybody has', { extensions: Array(40).fill([99, '']) }],
    ['packets so small that no answer fits into them', { packetBytes: 45 }],
    ['a window that holds nothing', { window: 2 }],
  ])('S33: with %s is dropped', async (_what, claims) => {
    expect(await isHeard(claims)).toBe(false);
  });

  it.each([32, 1024, 8192, 25_600, 100_000])('with a window of %i packets is accepted', async (window) => {
    expect(await caller.conclude({ ...publish(), window })).toBe(accepted);
  });

  it('that is refused is answered with the reason', async () => {
    expect(await caller.conclude({ streamId: '#!::r=live/missing' })).toBe(notFound);
  });

  it('S33: repeated by the thousand under new names is ignored for a while, and others are answered', async () => {
    const other = await RawCaller.open(server.port, '127.0.0.2');
    const judged = vi.spyOn(known, 'find');
    const flood = async () => {
      for (let n = 0; n < 3000; n++)
        await caller.throwConclusion({ sequence: 5000 + n, streamId: '#!::r=live/missing' });
    };
    const heard = () => judged.mock.calls.filter(([{ name }]) => name === 'missing').length;
    await flood();
    // Datagrams that arrived earlier are processed first.
    for (let last = -1; last !== heard(); ) {
      last = heard();
      expect(await other.conclude(publish())).toBe(accepted);
    }
    judged.mockClear();
    await flood();
    const id = await caller.throwConclusion(publish());
    expect(await other.conclude(publish())).toBe(accepted);
    expect(caller.answerTo(id)).toBeUndefined();
    expect(heard()).toBeLessThan(10);
    other.close();
  });
});
