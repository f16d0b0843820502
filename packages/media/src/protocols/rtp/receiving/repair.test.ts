import { describe, expect, it } from 'vitest';
import { MalformedMedia } from '../../../frame.ts';
import {
  Av1Depacketizer,
  H264Depacketizer,
  H265Depacketizer,
  NackList,
  Reception,
  ReorderBuffer,
  type RtpPacket,
  Vp9Depacketizer,
} from '../index.ts';

const packet = (sequence: number, timestamp = sequence * 100): RtpPacket => ({
  payloadType: 96,
  isMarker: true,
  sequence: sequence & 0xffff,
  timestamp,
  ssrc: 1,
  payload: Buffer.alloc(1),
});

function drain(buffer: ReorderBuffer, nowMs: number): number[] {
  const received: number[] = [];
  for (let next = buffer.shift(nowMs); next; next = buffer.shift(nowMs)) received.push(next.sequence);
  return received;
}

describe('ReorderBuffer', () => {
  it('passes packets in order without delay, over the wrap of their numbers', () => {
    const buffer = new ReorderBuffer(100);
    for (const sequence of [65_534, 65_535, 65_536, 65_537]) {
      buffer.push(packet(sequence), 0);
      expect(drain(buffer, 0)).toEqual([sequence & 0xffff]);
    }
  });

  it('holds back packets that come too early, and drops those that come twice or too late', () => {
    const buffer = new ReorderBuffer(100);
    for (const sequence of [10, 12, 13, 13, 10]) buffer.push(packet(sequence), 0);
    expect(drain(buffer, 0)).toEqual([10]);
    expect(buffer.isWaiting).toBe(true);
    buffer.push(packet(11), 50);
    expect(drain(buffer, 50)).toEqual([11, 12, 13]);
    expect(buffer.isAfterGap).toBe(false);
  });

  it('gives up on a missing packet after its time, and reports it', () => {
    const buffer = new ReorderBuffer(100);
    for (const sequence of [1, 4, 5]) buffer.push(packet(sequence), 0);
    expect(drain(buffer, 0)).toEqual([1]);
    expect(buffer.shift(99)).toBeUndefined();
    expect(buffer.shift(100)?.sequence).toBe(4);
    expect(buffer.isAfterGap).toBe(true);
    expect(buffer.shift(100)?.sequence).toBe(5);
    expect(buffer.isAfterGap).toBe(false);
  });

  it('waits for each missing packet from the moment it was noticed, so that the delays do not add up', () => {
    const buffer = new ReorderBuffer(100);
    for (let sequence = 0; sequence < 200; sequence += 2) buffer.push(packet(sequence), sequence * 10);
    // At 10 ms each, the packets of the last 100 ms may still be repaired.
    expect(drain(buffer, 1980).at(-1)).toBe(188);
    expect(drain(buffer, 2080).at(-1)).toBe(198);
  });

  it('waits for a missing packet for its whole time when a later one was repaired meanwhile', () => {
    const buffer = new ReorderBuffer(100);
    buffer.push(packet(0), 0);
    buffer.push(packet(3), 0);
    expect(drain(buffer, 0)).toEqual([0]);
    buffer.push(packet(2), 90);
    expect(drain(buffer, 99)).toEqual([]);
    expect(drain(buffer, 100)).toEqual([2, 3]);
  });

  it('S40: gives up on a missing packet when the waiting packets are too large together', () => {
    const buffer = new ReorderBuffer(60_000);
    buffer.push(packet(1), 0);
    drain(buffer, 0);
    let received = 0;
    for (let sequence = 3; sequence < 3000; sequence++) {
      buffer.push({ ...packet(sequence), payload: Buffer.alloc(4096) }, 1);
      received += drain(buffer, 1).length;
    }
    expect(received).toBe(2997);
    expect(buffer.skipped).toBe(1);
  });

  it('restarts after a jump of the sequence numbers', () => {
    const buffer = new ReorderBuffer(100);
    buffer.push(packet(1), 0);
    drain(buffer, 0);
    buffer.push(packet(20_000), 1);
    expect(buffer.shift(1)?.sequence).toBe(20_000);
    expect(buffer.isAfterGap).toBe(true);
    buffer.push(packet(20_001), 1);
    expect(drain(buffer, 1)).toEqual([20_001]);
  });
});

describe('a video frame without end', () => {
  it.each([
    ['H.264', new H264Depacketizer(), '7c8500', '7c0500'],
    ['H.265', new H265Depacketizer(), '6201930000', '6201130000'],
    ['AV1', new Av1Depacketizer(), '5000', 'd000'],
    ['VP9', new Vp9Depacketizer(), '0800', '0000'],
  ])(
    'S40: of %s is refused by the number of its packets, though they are tiny',
    (_codec, depacketizer, first, next) => {
      const part = (hex: string, sequence: number) => ({
        ...packet(sequence, 0),
        isMarker: false,
        payload: Buffer.from(hex, 'hex'),
      });
      depacketizer.push(part(first, 0));
      const endless = () => {
        for (let sequence = 1; sequence < 40_000; sequence++) depacketizer.push(part(next, sequence));
      };
      expect(endless).toThrow(MalformedMedia);
    },
  );
});

describe('retransmission requests', () => {
  it('are made after a moment, repeated, and given up', () => {
    const list = new NackList(500);
    list.onPacket(10, 0);
    list.onPacket(13, 0);
    expect(list.due(2)).toEqual([]);
    expect(list.due(10)).toEqual([11, 12]);
    expect(list.due(20)).toEqual([]);
    list.onPacket(11, 40);
    expect(list.due(120)).toEqual([12]);
    expect(list.due(501)).toEqual([]);
    expect(list.size).toBe(0);
  });

  it('are repeated the sooner, the sooner retransmissions arrive', () => {
    const list = new NackList(500);
    for (let round = 0; round < 60; round++) {
      list.onPacket(round * 2, round * 100);
      list.due(round * 100 + 10);
      list.onPacket(round * 2 - 1, round * 100 + 14);
    }
    expect(list.roundTripMs).toBeLessThan(10);
  });

  it('become rare when retransmissions wait in the queue of a full line', () => {
    const list = new NackList(600);
    let requests = 0;
    let losses = 0;
    // Every third packet is lost, and whatever is asked for comes 300 ms later.
    const answers: { sequence: number; atMs: number }[] = [];
    for (let nowMs = 0; nowMs < 3000; nowMs += 10) {
      const sequence = nowMs / 10;
      if (sequence % 3 === 1) losses += 1;
      else list.onPacket(sequence, nowMs);
      for (const asked of list.due(nowMs)) {
        requests += 1;
        answers.push({ sequence: asked, atMs: nowMs + 300 });
      }
      for (const answer of answers) if (answer.atMs === nowMs) list.onPacket(answer.sequence, nowMs);
    }
    expect(requests / losses).toBeLessThan(1.6);
    expect(list.roundTripMs).toBeGreaterThan(150);
  });

  it('are not made for a gap that is too large', () => {
    const list = new NackList(500);
    list.onPacket(0, 0);
    expect(list.onPacket(2000, 0)).toBe(false);
    expect(list.size).toBe(0);
  });
});

describe('reception statistics', () => {
  it('count lost packets, in total and since the last report', () => {
    const reception = new Reception(1, 90_000);
    for (const sequence of [65_530, 65_531, 65_535, 65_536]) reception.onPacket(packet(sequence), 0);
    expect(reception.report(0)).toMatchObject({
      packetsLost: 3,
      fractionLost: Math.floor((3 * 256) / 7),
      highestSequence: 65_536,
    });
    for (const sequence of [65_537, 65_538]) reception.onPacket(packet(sequence), 0);
    expect(reception.report(0)).toMatchObject({ packetsLost: 3, fractionLost: 0 });
  });
});
