import type { MediaFrame } from '@weir/media';
import {
  countedHeaderBytes,
  h264Layout,
  packetizeNals,
  parseRtcp,
  rtpHeaderBytes,
  writeRtpHeader,
  writeTransportNumber,
} from '@weir/media/rtp';
import { expect, it } from 'vitest';
import { WebRtcPublisher } from './webrtc-publisher.ts';

const types = { video: 102, repair: 103 };
const ssrcs = { video: 7, repair: 8 };
const sps = Buffer.from('67640028acd940780227e5c044000003000400000300c83c60c658', 'hex');
const pps = Buffer.from('68ebe3cb22c0', 'hex');

function open(hasRepair = true) {
  const frames: MediaFrame[] = [];
  const sent: Buffer[] = [];
  const publisher = new WebRtcPublisher({
    publication: {
      config: () => undefined,
      metadata: () => undefined,
      frame: (frame) => frames.push(frame),
      lower: () => undefined,
      lead: () => undefined,
      audioTrack: () => undefined,
    },
    counters: { bytesIn: 0, bytesOut: 0, droppedFrames: 0 },
    transport: { sendRtcp: (packet) => sent.push(packet) > 0 },
    video: {
      payloadType: types.video,
      codec: 'h264',
      ...(hasRepair && { repairType: types.repair }),
      transportNumber: 3,
    },
    audio: undefined,
    cname: 'someone',
    onFault: (error) => {
      throw error;
    },
  });
  let number = 65_530;
  const packet = (payload: Buffer, isRepair: boolean, sequence: number, isMarker: boolean) => {
    const head = Buffer.alloc(countedHeaderBytes);
    const kind = isRepair ? 'repair' : 'video';
    writeRtpHeader(head, types[kind], isMarker, sequence, 90_000, ssrcs[kind]);
    writeTransportNumber(head, 3, number++);
    return Buffer.concat([head, payload]);
  };
  return { publisher, frames, packet, sent, reports: () => sent.flatMap(parseRtcp) };
}

/** Payloads of one keyframe. */
const picture = packetizeNals([sps, pps, Buffer.concat([Buffer.of(0x65), Buffer.alloc(4000, 7)])], h264Layout).map(
  (bytes) => bytes.subarray(rtpHeaderBytes),
);

it('recovers a lost packet from the retransmission stream, and reports the loss all the same', () => {
  const { publisher, frames, packet, reports } = open();
  const lost = 2;
  for (const [sequence, payload] of picture.entries()) {
    if (sequence === lost) continue;
    publisher.onPacket(packet(payload, false, sequence, sequence === picture.length - 1), 1000 + sequence);
  }
  expect(frames).toEqual([]);
  publisher.tick(1020);
  const original = Buffer.alloc(2);
  original.writeUInt16BE(lost);
  // Probe packets come first.
  publisher.onPacket(packet(Buffer.alloc(0), true, 500, false), 1030);
  publisher.onPacket(packet(Buffer.concat([original, picture[lost] ?? Buffer.alloc(0)]), true, 501, false), 1031);
  expect(frames.map(({ isKeyframe, payload }) => [isKeyframe, payload.length > 4000])).toEqual([[true, true]]);
  expect(publisher.facts).toMatchObject({ packetsLost: 1 });
  publisher.tick(3000);
  const losses = reports().flatMap((report) => (report.type === 'receiver-report' ? report.reports : []));
  expect(losses.at(-1)).toMatchObject({ ssrc: ssrcs.video, packetsLost: 1 });
  publisher.stop();
});

it('counts a requested packet that is sent again under its own number as lost', () => {
  const { publisher, frames, packet } = open(false);
  const isLast = (sequence: number) => sequence === picture.length - 1;
  const send = (sequence: number, nowMs: number) =>
    publisher.onPacket(packet(picture[sequence] ?? Buffer.alloc(0), false, sequence, isLast(sequence)), nowMs);
  // Two that change places on the way are no loss.
  for (const [n, sequence] of [0, 2, 1].entries()) send(sequence, 1000 + n);
  expect(publisher.facts).toMatchObject({ packetsLost: 0 });
  send(picture.length - 1, 1010);
  send(picture.length, 1020);
  for (let sequence = 3; !isLast(sequence); sequence++) send(sequence, 1100);
  expect(frames).toHaveLength(1);
  expect(publisher.facts.packetsLost).toBe(picture.length - 4);
  publisher.stop();
});

it('reports arrival times across the wrap of the sequence numbers', () => {
  const { publisher, packet, reports } = open();
  for (let sequence = 0; sequence < 12; sequence++)
    publisher.onPacket(packet(picture[1] ?? Buffer.alloc(0), false, sequence, false), 1000 + 20 * sequence);
  const told = reports().flatMap((report) => (report.type === 'transport-feedback' ? [report] : []));
  const count = told.reduce((sum, { arrivalsMs }) => sum + arrivalsMs.length, 0);
  expect(told.length).toBeGreaterThan(1);
  expect(told.length).toBeLessThan(5);
  expect(count).toBeGreaterThan(7);
  expect(told[1]?.base).toBe(((told[0]?.base ?? 0) + (told[0]?.arrivalsMs.length ?? 0)) & 0xffff);
  publisher.stop();
});

it('knows the round trip to a publisher that answers reference times, and none before', () => {
  const { publisher, packet, sent } = open();
  publisher.onPacket(packet(picture[0] ?? Buffer.alloc(0), false, 0, false), 1000);
  expect(publisher.facts).not.toHaveProperty('rttMs');
  const report = sent.find((bytes) => parseRtcp(bytes).some(({ type }) => type === 'receiver-report'));
  // The reference time is the last packet of the compound: 20 bytes, our SSRC and the time in them.
  const request = report?.subarray(-20) ?? Buffer.alloc(20);
  const answer = Buffer.alloc(24);
  answer.writeUInt32BE(0x80cf_0005, 0);
  answer.writeUInt32BE(ssrcs.video, 4);
  answer.writeUInt32BE(0x0500_0003, 8);
  request.copy(answer, 12, 4, 8);
  request.copy(answer, 16, 14, 18);
  answer.writeUInt32BE(100 * 65.536, 20);
  publisher.onPacket(answer, 1000 + 2700 + 100);
  expect(publisher.facts.rttMs).toBeCloseTo(2700, 0);
  publisher.stop();
});
