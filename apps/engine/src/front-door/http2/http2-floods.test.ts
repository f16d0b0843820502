import { once } from 'node:events';
import { constants } from 'node:http2';
import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { makePair, type Pair } from '../../tls-pair.fixture.ts';
import { floods } from './floods.fixture.ts';
import { openSecure } from './http2.fixture.ts';
import { frame, getFrame, number32, RawHttp2, whole } from './raw-http2.fixture.ts';

let pair: Pair;
beforeAll(async () => {
  pair = await makePair();
});

describe('S51: a flood ends its connection, and no other:', () => {
  test.each(floods.map((flood) => [flood.title, flood] as const))('%s', async (_title, flood) => {
    let served = 0;
    const { port } = await openSecure(pair, {
      media: (asked) => {
        served += 1;
        asked.answer(200, [], Buffer.from('media'));
      },
    });
    const other = await RawHttp2.connect(port);
    const attacker = await RawHttp2.connect(port);
    onTestFinished(() => [other, attacker].forEach(({ socket }) => void socket.destroy()));
    attacker.send(...(flood.before ?? []));
    const closed = once(attacker.socket, 'close');
    // No more: a client that writes to a connection that has ended may not see why it did.
    await attacker.flood(flood.bytes, 400 * 1024);
    await closed;
    expect(flood.codes).toContain(attacker.goaway);
    expect(served).toBeLessThan(1000);
    served = 0;
    other.send(getFrame(1, '/live/a.ts'));
    await vi.waitFor(() => expect(other.dataBytes).toBe(5));
    expect([served, other.goaway]).toEqual([1, undefined]);
  });

  test('a client that takes nothing of its answers loses them, one by one', async () => {
    const { port } = await openSecure(pair, {
      media: (asked) => void asked.answer(200, [], Buffer.alloc(1024 * 1024)),
      limits: { stallMs: 400 },
    });
    // A window of nothing for each stream.
    const client = await RawHttp2.connect(port, [[4, 0]]);
    onTestFinished(() => void client.socket.destroy());
    for (let stream = 1; stream < 20; stream += 2) client.send(getFrame(stream, '/live/a.ts'));
    await vi.waitFor(() => expect(client.resets).toHaveLength(10));
    expect(new Set(client.resets)).toEqual(new Set([constants.NGHTTP2_CANCEL]));
    expect([client.dataBytes, client.goaway]).toEqual([0, undefined]);
    client.send(frame('window', whole, number32(1000)));
  });
});
