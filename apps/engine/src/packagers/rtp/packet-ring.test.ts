import { describe, expect, it } from 'vitest';
import { PacketRing } from './packet-ring.ts';

const packet = (sequence: number, isEntry = false) => ({
  payload: Buffer.alloc(1),
  padding: 0,
  isVideo: true,
  sequence,
  timestamp: 0,
  isMarker: true,
  picture: sequence,
  isEntry,
});

describe('PacketRing', () => {
  it('keeps the packets of the newest two groups of pictures', () => {
    const ring = new PacketRing();
    for (let sequence = 0; sequence < 100; sequence++) ring.push(packet(sequence, sequence % 10 === 0));
    expect([ring.start, ring.entry, ring.end]).toEqual([80, 90, 100]);
    expect([ring.video(79), ring.at(79)]).toEqual([undefined, undefined]);
    expect(ring.video(80)?.sequence).toBe(80);
    ring.closeEntry();
    expect(ring.entry).toBeUndefined();
    ring.push(packet(100, true));
    expect([ring.start, ring.entry]).toEqual([90, 100]);
  });

  it('keeps no more packets than its size, however long a group is', () => {
    const ring = new PacketRing();
    for (let sequence = 0; sequence < 20_000; sequence++) ring.push(packet(sequence, sequence === 0));
    expect(ring.entry).toBeUndefined();
    expect(ring.end - ring.start).toBeLessThan(8192);
    expect(ring.at(ring.start)?.sequence).toBe(ring.start);
  });

  it('S40: keeps no more bytes than its limit, however large the packets are', () => {
    const ring = new PacketRing();
    const large = Buffer.alloc(1024 * 1024);
    for (let sequence = 0; sequence < 200; sequence++)
      ring.push({ ...packet(sequence, sequence % 50 === 0), payload: large });
    expect(ring.bytes).toBe(16 * 1024 * 1024);
    expect([ring.start, ring.end]).toEqual([184, 200]);
    expect(ring.video(183)).toBeUndefined();
    for (let sequence = 200; sequence < 300; sequence++) ring.push(packet(sequence, sequence % 10 === 0));
    expect(ring.bytes).toBe(20);
  });
});
