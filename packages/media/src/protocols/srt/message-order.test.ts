import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MessageOrder } from './message-order.ts';

function collect() {
  const got: number[] = [];
  const order = new MessageOrder((message) => got.push(message.readUInt32BE(0)));
  const push = (value: number, sequence = value) => {
    const message = Buffer.alloc(4);
    message.writeUInt32BE(value);
    order.push(sequence & 0x7fff_ffff, message);
    // The caller uses its buffer again.
    message.fill(0xff);
  };
  return { got, order, push };
}

describe('messages of SRT', () => {
  it('come out in the order they were sent in, whatever came first', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 0x7fff_ffff }),
        fc.shuffledSubarray([1, 2, 3, 4, 5, 6, 7], { minLength: 7 }),
        (first, others) => {
          const { got, push } = collect();
          push(0, first);
          for (const n of others) push(n, first + n);
          expect(got).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
        },
      ),
    );
  });

  it('that were delivered already are not delivered again', () => {
    const { got, push } = collect();
    for (const n of [10, 11, 10, 12, 12, 11]) push(n);
    expect(got).toEqual([10, 11, 12]);
  });

  it('do not wait for ever for one that its sender gave up', () => {
    const { got, order, push } = collect();
    push(0);
    for (let n = 2; n < 3000; n++) push(n);
    expect(got.length).toBeGreaterThan(2000);
    expect(got).toEqual(got.toSorted((a, b) => a - b));
    expect(order.heldMessages).toBeLessThan(2049);
  });
});
