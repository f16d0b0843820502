import fc from 'fast-check';
import { describe, it } from 'vitest';
import { MalformedMedia } from '../../frame.ts';
import {
  Av1Depacketizer,
  H264Depacketizer,
  H265Depacketizer,
  h264Layout,
  h265Layout,
  NackList,
  packetizeNals,
  parseRtcp,
  parseRtp,
  ReorderBuffer,
  type RtpPacket,
  requestsMedia,
  Vp9Depacketizer,
} from './index.ts';

const bytes = (maxLength: number) => fc.uint8Array({ maxLength }).map((array) => Buffer.from(array));
const packets = fc.array(
  fc.record({
    payloadType: fc.constant(96),
    isMarker: fc.boolean(),
    sequence: fc.nat(0xffff),
    timestamp: fc.nat(3),
    ssrc: fc.constant(1),
    payload: bytes(64),
  }),
  { maxLength: 40 },
);

/** Parses any input; only MalformedMedia may be thrown. */
function survives(act: () => void): void {
  try {
    act();
  } catch (error) {
    if (!(error instanceof MalformedMedia)) throw error;
  }
}

describe('arbitrary packets', () => {
  it('as RTP or RTCP are parsed or refused', () => {
    fc.assert(
      fc.property(bytes(200), (input) => {
        parseRtp(input);
        parseRtcp(input);
        requestsMedia(input);
        const looksRight = Buffer.concat([Buffer.from([0x81, 200 + (input.length % 8), 0, 12]), input]);
        parseRtcp(looksRight);
        requestsMedia(looksRight);
      }),
    );
  });

  it.each([
    ['H.264', () => new H264Depacketizer()],
    ['H.265', () => new H265Depacketizer()],
    ['AV1', () => new Av1Depacketizer()],
    ['VP9', () => new Vp9Depacketizer()],
  ])('as %s are depacketized or refused', (_name, create) => {
    fc.assert(
      fc.property(packets, (input) => {
        const depacketizer = create();
        survives(() => {
          for (const packet of input) depacketizer.push(packet);
        });
      }),
    );
  });

  it.each([
    ['H.264', h264Layout],
    ['H.265', h265Layout],
  ])('of a video frame of any units have the right size: %s', (_name, layout) => {
    fc.assert(
      fc.property(fc.array(bytes(300), { maxLength: 10 }), fc.integer({ min: 20, max: 100 }), (nals, most) => {
        for (const packet of packetizeNals(nals, layout, most))
          if (packet.length > most + 12) throw new Error('too long');
      }),
    );
  });

  it('in any order come out once each, ascending, and nothing is waited for without end', () => {
    const order = fc.shuffledSubarray(
      Array.from({ length: 60 }, (_, index) => index + 65_500),
      { minLength: 1 },
    );
    fc.assert(
      fc.property(order, (sequences) => {
        const buffer = new ReorderBuffer(50);
        const missing = new NackList(50);
        const received: number[] = [];
        const drain = (nowMs: number) => {
          for (let next = buffer.shift(nowMs); next; next = buffer.shift(nowMs)) received.push(next.timestamp);
        };
        for (const [index, sequence] of sequences.entries()) {
          const packet: RtpPacket = {
            payloadType: 96,
            isMarker: true,
            sequence: sequence & 0xffff,
            timestamp: sequence,
            ssrc: 1,
            payload: Buffer.alloc(0),
          };
          missing.onPacket(packet.sequence, index);
          missing.due(index);
          buffer.push(packet, index);
          drain(index);
        }
        for (let nowMs = 100; nowMs < 100 + 60 * 51 && buffer.isWaiting; nowMs += 51) drain(nowMs);
        missing.due(1000);
        if (buffer.isWaiting || missing.size > 0) throw new Error('still waits');
        if (received.some((value, index) => index > 0 && value <= (received[index - 1] ?? 0)))
          throw new Error('out of order');
      }),
    );
  });
});
