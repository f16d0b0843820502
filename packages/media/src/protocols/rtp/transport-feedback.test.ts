import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  Arrivals,
  delayedHeaderBytes,
  parseRtcp,
  parseRtp,
  readTransportNumber,
  writeArrivals,
  writePlayoutDelay,
  writeRtpHeader,
  writeTransportNumber,
} from './index.ts';

it('parses arrival times in every encoding of packet states', () => {
  const body = Buffer.alloc(28);
  body.writeUInt16BE(65_534, 8);
  body.writeUInt16BE(9, 10);
  body.writeIntBE(10, 12, 3);
  // Bit vector: arrived, lost, arrived, and the rest lost.
  body.writeUInt16BE(0b10_10100000000000, 16);
  body.writeUInt8(4, 18);
  body.writeUInt8(8, 19);
  const packet = Buffer.concat([Buffer.from([0x8f, 205, 0, 7]), body]);
  const [feedback] = parseRtcp(packet);
  expect(feedback).toEqual({
    type: 'transport-feedback',
    base: 65_534,
    arrivalsMs: [641, undefined, 643, ...Array.from({ length: 6 }, () => undefined)],
  });
});

it('parses run lengths, status vectors and negative differences', () => {
  const body = Buffer.alloc(28);
  body.writeUInt16BE(6, 10);
  // A run of three that arrived, then two bits each: lost, far back, near.
  body.writeUInt16BE(0b001_0000000000011, 16);
  body.writeUInt16BE(0b11_00_10_01_00000000, 18);
  Buffer.from([4, 4, 4]).copy(body, 20);
  body.writeInt16BE(-8, 23);
  body.writeUInt8(4, 25);
  const [feedback] = parseRtcp(Buffer.concat([Buffer.from([0x8f, 205, 0, 7]), body]));
  expect(feedback).toMatchObject({ arrivalsMs: [1, 2, 3, undefined, 1, 2] });
});

it('parses no more than is there, whatever count it declares', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 16, maxLength: 120 }), (array) => {
      const body = Buffer.from(array.subarray(0, array.length & ~3));
      const head = Buffer.from([0x8f, 205, 0, body.length / 4]);
      for (const packet of parseRtcp(Buffer.concat([head, body])))
        if (packet.type === 'transport-feedback' && packet.arrivalsMs.length > 4096) throw new Error('too many');
    }),
    { numRuns: 3000 },
  );
});

it('parses what it wrote, whatever is missing and however late the rest came', () => {
  const arrival = fc.option(fc.integer({ min: 0, max: 2000 }), { nil: undefined });
  fc.assert(
    fc.property(fc.nat(65_535), fc.nat(10_000_000), fc.array(arrival, { maxLength: 60 }), (base, startMs, later) => {
      const arrivalsMs = [startMs, ...later.map((ms) => (ms === undefined ? undefined : startMs + ms / 4))];
      const [read] = parseRtcp(writeArrivals({ ours: 1, media: 2 }, { base, arrivalsMs }, 7));
      expect(read).toEqual({ type: 'transport-feedback', base, arrivalsMs });
    }),
    { numRuns: 500 },
  );
});

it('reports the packets since the last report, some times a second, up to a limit', () => {
  const arrivals = new Arrivals();
  expect(arrivals.nextReport(0)).toBeUndefined();
  for (const [number, ms] of [
    [65_534, 10],
    [0, 12],
    [65_535, 13],
    [2, 14],
  ] as const)
    arrivals.onPacket(number, ms);
  expect(arrivals.nextReport(20)).toEqual({ base: 65_534, arrivalsMs: [10, 13, 12, undefined, 14] });
  arrivals.onPacket(1, 30);
  arrivals.onPacket(3, 31);
  expect(arrivals.nextReport(60)).toBeUndefined();
  expect(arrivals.nextReport(130)).toEqual({ base: 3, arrivalsMs: [31] });
  for (let number = 4; number < 60_000; number += 7) arrivals.onPacket(number & 0xffff, 200);
  expect(arrivals.nextReport(300)?.arrivalsMs.length).toBeLessThanOrEqual(1024);
});

it('writes the playout delay after the transport number, in steps of 10 ms up to 40 s', () => {
  const packet = Buffer.alloc(delayedHeaderBytes + 1, 0xff);
  for (const [delayMs, least, most] of [
    [0, 0, 1000],
    [664, 66, 1000],
    [1e9, 4095, 4095],
  ] as const) {
    writeRtpHeader(packet, 96, false, 1, 2, 3);
    writeTransportNumber(packet, 5, 51_966);
    writePlayoutDelay(packet, 6, delayMs);
    expect(readTransportNumber(packet, 5)).toBe(51_966);
    expect(packet[19]).toBe(0x62);
    expect([packet.readUIntBE(20, 3) >> 12, packet.readUIntBE(20, 3) & 0xfff]).toEqual([least, most]);
    expect(parseRtp(packet)?.payload).toEqual(Buffer.from([0xff]));
  }
});

it('finds the sequence number of a packet among its extensions, and never beyond them', () => {
  const packet = Buffer.alloc(40);
  writeRtpHeader(packet, 96, false, 1, 2, 3);
  expect(readTransportNumber(packet, 5)).toBeUndefined();
  writeTransportNumber(packet, 5, 51_966);
  expect([readTransportNumber(packet, 5), readTransportNumber(packet, 6)]).toEqual([51_966, undefined]);
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 60 }), fc.integer({ min: 1, max: 14 }), (bytes, id) => {
      readTransportNumber(Buffer.from(bytes), id);
    }),
    { numRuns: 3000 },
  );
});
