import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { joinObus, readAv1Sequence, splitObus, toAv1Config } from '../../codecs/av1.ts';
import { toVp9Config } from '../../codecs/vp9.ts';
import { MalformedMedia } from '../../frame.ts';
import { Av1Depacketizer, packetizeAv1 } from './av1.ts';
import { parseRtp, type RtpPacket, writeRtpHeader } from './rtp-packet.ts';
import { packetizeVp9, Vp9Depacketizer } from './vp9.ts';

function arrive(packets: readonly Buffer[], timestamp: number): RtpPacket[] {
  return packets.map((bytes, index) => {
    writeRtpHeader(bytes, 45, index === packets.length - 1, index, timestamp, 7);
    const packet = parseRtp(bytes);
    if (!packet) throw new Error('not a packet');
    return packet;
  });
}

/** A sequence header of 640x360, main profile, level 4: no timing, one operating point. */
const sequence = Buffer.from([0x08, ...bits('000 0 0 0 0 00000 000000000000 00100 1001 1000 1001111111 101100111')]);
const frame = (bytes: number) => Buffer.concat([Buffer.from([0x30]), Buffer.alloc(bytes, 0xab)]);
/** frame_marker, profile 0, keyframe, sync code, BT.601, 640x360. */
const vp9Key = (bytes: number, size = '0000001001111111 0000000101100111') =>
  Buffer.concat([Buffer.from(bits(`10 00 0 0 1 0 010010011000001101000010 001 0 ${size}`)), Buffer.alloc(bytes, 0xab)]);

function bits(text: string): number[] {
  const all = text.replaceAll(' ', '');
  return (all.match(/.{1,8}/g) ?? []).map((octet) => Number.parseInt(octet.padEnd(8, '0'), 2));
}

describe('RTP packets of AV1', () => {
  it('are assembled to the original frames and config', () => {
    for (const size of [1, 500, 1190, 1200, 5000]) {
      const depacketizer = new Av1Depacketizer();
      const unit = joinObus([sequence, frame(size), frame(10)]);
      const packets = packetizeAv1(unit, { sequence: [], isKeyframe: true });
      for (const packet of packets) expect(packet.length).toBeLessThanOrEqual(1212);
      expect((packets[0]?.[12] ?? 0) & 0x08).toBe(0x08);
      const pictures = arrive(packets, 1).flatMap((packet) => depacketizer.push(packet));
      expect(pictures).toMatchObject([{ isKeyframe: true, config: { codec: 'av1', width: 640, height: 360 } }]);
      expect(pictures[0]?.payload.equals(unit)).toBe(true);
      const next = arrive(packetizeAv1(joinObus([frame(size)]), { sequence: [], isKeyframe: false }), 2);
      expect(next.flatMap((packet) => depacketizer.push(packet))).toMatchObject([
        { isKeyframe: false, config: undefined },
      ]);
    }
  });

  it('contain the sequence header of the config before a keyframe that has none', () => {
    const { record } = toAv1Config(sequence);
    const headers = readAv1Sequence(record);
    const packets = packetizeAv1(joinObus([Buffer.from([0x10]), frame(5)]), { sequence: headers, isKeyframe: true });
    const [picture] = arrive(packets, 1).flatMap((packet) => new Av1Depacketizer().push(packet));
    expect(picture?.payload.equals(joinObus([sequence, frame(5)]))).toBe(true);
  });

  it('of any bytes are parsed or refused', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 100 }), (array) => {
        for (const parse of [splitObus, toAv1Config, toVp9Config]) {
          try {
            parse(Buffer.from(array));
          } catch (error) {
            if (!(error instanceof MalformedMedia)) throw error;
          }
        }
      }),
    );
  });
});

describe('RTP packets of VP9', () => {
  it('are assembled to the original frames and config', () => {
    for (const size of [1, 500, 1190, 1200, 5000]) {
      const depacketizer = new Vp9Depacketizer();
      const packets = packetizeVp9(vp9Key(size), { id: 40_000, isKeyframe: true });
      for (const packet of packets) expect(packet.length).toBeLessThanOrEqual(1212);
      const pictures = arrive(packets, 1).flatMap((packet) => depacketizer.push(packet));
      expect(pictures).toMatchObject([{ isKeyframe: true, config: { codec: 'vp9', width: 640, height: 360 } }]);
      expect(pictures[0]?.payload.equals(vp9Key(size))).toBe(true);
      const next = arrive(packetizeVp9(Buffer.alloc(size, 1), { id: 1, isKeyframe: false }), 2);
      expect(next.flatMap((packet) => depacketizer.push(packet))).toMatchObject([
        { isKeyframe: false, config: undefined },
      ]);
    }
  });

  it('announce a new size, which the codec record does not contain', () => {
    const depacketizer = new Vp9Depacketizer();
    const half = vp9Key(100, '0000000100111111 0000000010110011');
    const widths = [vp9Key(100), vp9Key(100), half, half].map((key, n) => {
      const packets = arrive(packetizeVp9(key, { id: n, isKeyframe: true }), n);
      return packets.flatMap((packet) => depacketizer.push(packet))[0]?.config?.width;
    });
    expect(widths).toEqual([640, undefined, 320, undefined]);
  });

  it('are dropped when the beginning of a frame is lost', () => {
    const depacketizer = new Vp9Depacketizer();
    const packets = arrive(packetizeVp9(vp9Key(3000), { id: 1, isKeyframe: true }), 1);
    expect(packets.slice(1).flatMap((packet) => depacketizer.push(packet))).toEqual([]);
  });
});
