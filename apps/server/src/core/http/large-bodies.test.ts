import { PassThrough } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { WeirError } from '../errors.ts';
import { LargeBodies, type LargeBodyLimits, RefusedBody, SharedBodies } from './large-bodies.ts';

const mebibyte = 1024 * 1024;
const limits: LargeBodyLimits = {
  atOnce: 6,
  ofNetwork: 2,
  ofSite: 3,
  bytes: 4 * mebibyte,
  bytesPerSecond: 16 * 1024,
  graceMs: 1000,
};

function open() {
  const bodies = new LargeBodies(limits);
  const send = (address: string) => {
    const stream = new PassThrough();
    const read = bodies.read(stream, 8 * mebibyte, address);
    const reason = async () => {
      const body = await read;
      return body instanceof RefusedBody ? `${body.error.status} ${body.error.message}` : 'read';
    };
    return { stream, read, reason };
  };
  return { send };
}

const crowded = '503 too many large requests at once, try again';

describe('S49: large bodies', () => {
  it('from one network and its neighbours leave room for others', async () => {
    const { send } = open();
    const first = ['203.0.113.1', '203.0.113.1'].map(send);
    // A refusal is told when the sender is done, so that it is seen.
    const refuse = (address: string) => {
      const { stream, reason } = send(address);
      stream.end('{}');
      return reason();
    };
    expect(await refuse('203.0.113.1')).toBe(crowded);
    const neighbour = send('203.0.113.2');
    expect(await refuse('203.0.113.3')).toBe(crowded);
    const other = send('198.51.100.1');
    for (const { stream } of [...first, neighbour, other]) stream.end('{"a":1}');
    for (const { read } of [...first, neighbour, other]) expect(await read).toEqual({ a: 1 });
    const again = send('203.0.113.1');
    again.stream.end('{}');
    expect(await again.reason()).toBe('read');
  });

  it('that arrive too slowly lose their place, while a slow line that continues keeps it', async () => {
    const { send } = open();
    const [trickle, steady] = [send('203.0.113.1'), send('198.51.100.1')];
    let isOver = false;
    const sending = (async () => {
      steady.stream.write('{"a":"');
      while (!isOver) {
        trickle.stream.write('x'.repeat(100));
        steady.stream.write('y'.repeat(16 * 1024));
        await sleep(100);
      }
      steady.stream.end('"}');
    })();
    expect(await trickle.reason()).toBe('422 the request body arrives too slowly');
    isOver = true;
    await sending;
    expect(await steady.reason()).toBe('read');
  });

  it('take no more memory than the total allows, however many places are free', async () => {
    const { send } = open();
    const [first, second] = [send('203.0.113.1'), send('198.51.100.1')];
    first.stream.write(Buffer.alloc(3 * mebibyte, 0x20));
    await sleep(50);
    second.stream.end(Buffer.alloc(2 * mebibyte, 0x20));
    expect(await second.reason()).toBe(crowded);
    first.stream.end('{}');
    expect(await first.reason()).toBe('read');
  });

  it('from guests have places that strangers cannot take, and a wrong token is refused before it takes one', async () => {
    const bodies = new SharedBodies();
    const knowsGuest = async ({ 'x-token': token }: Record<string, unknown>) => {
      if (token === 'wrong') throw new WeirError('token', 'invalid room token');
      return token === 'right' ? (true as const) : undefined;
    };
    const send = (token: string, address: string) => {
      const stream = new PassThrough();
      const headers = { 'x-token': token };
      const read = bodies.read(stream, { headers, address, limitBytes: 8 * mebibyte, knowsGuest });
      return { stream, read };
    };
    const strangers = Array.from({ length: 40 }, (_, n) => send('', `198.51.${n}.1`));
    await sleep(10);
    const late = send('', '192.0.2.1');
    late.stream.end('{}');
    expect(await late.read).toMatchObject({ error: { message: 'too many large requests at once, try again' } });
    const guest = send('right', '192.0.2.1');
    guest.stream.end('{"a":1}');
    expect(await guest.read).toEqual({ a: 1 });
    const liar = send('wrong', '192.0.2.1');
    liar.stream.end(Buffer.alloc(2 * mebibyte, 0x20));
    expect(await liar.read).toMatchObject({ error: { status: 401, message: 'invalid room token' } });
    for (const { stream } of strangers) stream.destroy();
    await Promise.all(strangers.map(({ read }) => read));
  });
});
