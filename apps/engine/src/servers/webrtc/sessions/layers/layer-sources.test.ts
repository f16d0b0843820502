import { parseRtp } from '@weir/media/rtp';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { LayerSources } from './layer-sources.ts';

const names = { rids: ['l', 'h'], ridId: 10, repairedRidId: 11 };

function packetOf(ssrc: number, extension?: readonly [id: number, text: string]): Buffer {
  const [id, text] = extension ?? [10, 'x'];
  const bytes = Buffer.alloc(24);
  bytes[0] = extension ? 0x90 : 0x80;
  bytes.writeUInt32BE(ssrc, 8);
  bytes.writeUInt32BE(0xbede_0001, 12);
  bytes[16] = (id << 4) | (text.length - 1);
  bytes.write(text, 17);
  return bytes;
}

function find(sources: LayerSources, bytes: Buffer, isRepair: boolean, nowMs: number): number | undefined {
  const packet = parseRtp(bytes);
  return packet && sources.find(bytes, packet, isRepair, nowMs);
}

it('remembers the layer that a source named once, separately for media and retransmission', () => {
  const sources = new LayerSources(names);
  expect(find(sources, packetOf(1), false, 0)).toBeUndefined();
  expect(find(sources, packetOf(1, [10, 'h']), false, 0)).toBe(1);
  expect(find(sources, packetOf(1), false, 1)).toBe(1);
  expect(find(sources, packetOf(2, [10, 'h']), true, 1)).toBeUndefined();
  expect(find(sources, packetOf(2, [11, 'h']), true, 1)).toBe(1);
  expect(find(sources, packetOf(2), true, 2)).toBe(1);
  expect(find(sources, packetOf(2), false, 2)).toBeUndefined();
  expect(find(sources, packetOf(3, [10, 'z']), false, 2)).toBeUndefined();
});

it('gives a layer to another source only after the first was silent', () => {
  const sources = new LayerSources(names);
  find(sources, packetOf(1, [10, 'l']), false, 0);
  expect(find(sources, packetOf(9, [10, 'l']), false, 900)).toBeUndefined();
  expect(find(sources, packetOf(9, [10, 'l']), false, 1000)).toBe(0);
  expect(find(sources, packetOf(1), false, 1001)).toBeUndefined();
});

it('keeps no more sources than layers, whatever names and numbers come', () => {
  const any = fc.record({
    ssrc: fc.nat(2 ** 32 - 1),
    id: fc.integer({ min: 1, max: 14 }),
    rid: fc.constantFrom('l', 'h', 'x', 'lh'),
    isRepair: fc.boolean(),
    passedMs: fc.nat(1500),
  });
  fc.assert(
    fc.property(fc.array(any, { maxLength: 100 }), (packets) => {
      const sources = new LayerSources(names);
      const known = new Set<number>();
      let nowMs = 0;
      for (const { ssrc, id, rid, isRepair, passedMs } of packets) {
        nowMs += passedMs;
        if (find(sources, packetOf(ssrc, [id, rid]), isRepair, nowMs) !== undefined) known.add(ssrc);
      }
      const remembered = [...known].filter(
        (ssrc) =>
          find(sources, packetOf(ssrc), false, nowMs) !== undefined ||
          find(sources, packetOf(ssrc), true, nowMs) !== undefined,
      );
      expect(remembered.length).toBeLessThanOrEqual(4);
    }),
  );
});
