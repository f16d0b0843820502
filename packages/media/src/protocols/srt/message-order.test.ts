import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MessageOrder } from './message-order.ts';

function collect(waits = true) {
  const got: number[] = [];
  const holes: number[] = [];
  const order = new MessageOrder({
    waits,
    onMessage: (message) => got.push(message.readUInt32BE(0)),
    onHole: (messages) => holes.push(messages),
  });
  const push = (value: number, sequence = value) => {
    const message = Buffer.alloc(4);
    message.writeUInt32BE(value);
    order.push(sequence & 0x7fff_ffff, message);
    // The caller uses its buffer again.
    message.fill(0xff);
  };
  return { got, holes, order, push };
}

describe('MessageOrder', () => {
  it('delivers messages in the order they were sent, whatever came first', () => {
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

  it('does not deliver a message again', () => {
    const { got, push } = collect();
    for (const n of [10, 11, 10, 12, 12, 11]) push(n);
    expect(got).toEqual([10, 11, 12]);
  });

  it('does not wait for ever for a message that its sender dropped', () => {
    const { got, holes, order, push } = collect();
    push(0);
    for (let n = 2; n < 3000; n++) push(n);
    expect(got.length).toBeGreaterThan(2000);
    expect(got).toEqual(got.toSorted((a, b) => a - b));
    expect(order.heldMessages).toBeLessThan(2049);
    expect(holes).toEqual([1]);
  });

  it('does not wait for messages that libsrt dropped, and reports how many are missing', () => {
    const { got, holes, order, push } = collect(false);
    for (const n of [7, 8, 11, 10, 12, 20]) push(n);
    expect(got).toEqual([7, 8, 11, 12, 20]);
    expect(holes).toEqual([2, 7]);
    expect(order.heldMessages).toBe(0);
  });
});
