import { describe, expect, it } from 'vitest';
import { avcRecord, hevcRecord } from '../../codecs/records.fixture.ts';
import { avcParameterSets, hevcParameterSets, joinNals } from '../../index.ts';
import {
  H264Depacketizer,
  H265Depacketizer,
  h264Layout,
  h265Layout,
  isRtcp,
  maxRtpPayload,
  packetizeNals,
  parseRtcp,
  parseRtp,
  type RtpPacket,
  requestsMedia,
  rtpHeaderBytes,
  type VideoDepacketizer,
  writeCname,
  writeNack,
  writePli,
  writeReceiverReport,
  writeRemb,
  writeRtpHeader,
  writeSenderReport,
} from './index.ts';
import { writeTransportFeedback } from './transport-feedback.ts';

/** Packets of a frame as a receiver parses them. */
function arrive(packets: readonly Buffer[], firstSequence: number, timestamp: number): RtpPacket[] {
  return packets.map((bytes, index) => {
    writeRtpHeader(bytes, 102, index === packets.length - 1, firstSequence + index, timestamp, 7);
    const packet = parseRtp(bytes);
    if (!packet) throw new Error('not a packet');
    return packet;
  });
}

const nal = (header: readonly number[], bytes: number) =>
  Buffer.concat([Buffer.from(header), Buffer.alloc(bytes, 0xab)]);

describe('an RTP packet', () => {
  it('is parsed without extension, contributing sources and padding', () => {
    const header = Buffer.from('b1e60002000000030000000400000005', 'hex');
    const extension = Buffer.from('bede000111223344', 'hex');
    const packet = parseRtp(Buffer.concat([header, extension, Buffer.from('payload'), Buffer.from([0, 0, 3])]));
    expect(packet).toMatchObject({ payloadType: 0x66, isMarker: true, sequence: 2, timestamp: 3, ssrc: 4 });
    expect(packet?.payload.toString()).toBe('payload');
  });

  it('is distinguished from RTCP by its second byte', () => {
    expect(isRtcp(writePli(1, 2))).toBe(true);
    const bytes = Buffer.alloc(rtpHeaderBytes);
    writeRtpHeader(bytes, 111, true, 70_000, 2 ** 32 + 5, 1);
    expect(isRtcp(bytes)).toBe(false);
    expect(parseRtp(bytes)).toMatchObject({ sequence: 70_000 - 65_536, timestamp: 5, isMarker: true });
  });
});

describe('video frames in RTP packets', () => {
  const avc = avcParameterSets(avcRecord('320x240', '25'));
  const hevc = hevcParameterSets(hevcRecord('320x240', '25'));
  const layouts = [
    ['H.264', h264Layout, () => new H264Depacketizer(), [...avc.sps, ...avc.pps], [0x65], [0x41]],
    ['H.265', h265Layout, () => new H265Depacketizer(), [...hevc.vps, ...hevc.sps, ...hevc.pps], [0x26, 1], [0x02, 1]],
  ] as const;

  it.each(layouts)('%s: are assembled unchanged, whatever their size', (_name, layout, create, sets, key, other) => {
    for (const size of [1, 20, 1198, 1199, 1200, 1201, 5000, 100_000]) {
      const depacketizer: VideoDepacketizer = create();
      const slices = [nal(key, size), nal(key, 30)];
      const packets = packetizeNals([...sets, ...slices], layout);
      for (const packet of packets) expect(packet.length).toBeLessThanOrEqual(rtpHeaderBytes + maxRtpPayload);
      const [picture, ...rest] = arrive(packets, 65_530, 9000).flatMap((packet) => [...depacketizer.push(packet)]);
      expect(rest).toEqual([]);
      expect(picture).toMatchObject({ isKeyframe: true, timestamp: 9000, config: { width: 320, height: 240 } });
      expect(picture?.payload.equals(joinNals(slices))).toBe(true);
      const next = arrive(packetizeNals([nal(other, size)], layout), 1, 12_000).flatMap((packet) => [
        ...depacketizer.push(packet),
      ]);
      expect(next).toMatchObject([{ isKeyframe: false, config: undefined }]);
    }
  });

  it.each(layouts)('%s: are no keyframe when their beginning was lost', (_name, layout, create, sets, key) => {
    const depacketizer: VideoDepacketizer = create();
    const packets = arrive(packetizeNals([...sets, nal(key, 3000), nal(key, 50)], layout), 1, 9000);
    depacketizer.lose();
    const pictures = packets.slice(1).flatMap((packet) => [...depacketizer.push(packet)]);
    expect(pictures.every(({ isKeyframe }) => !isKeyframe)).toBe(true);
  });

  it('end with the next timestamp when no marker is set', () => {
    const depacketizer = new H264Depacketizer();
    const [first, second] = [1, 2].map(
      (time) => arrive(packetizeNals([nal([0x41], 10)], h264Layout), time, time * 3000)[0],
    );
    if (!first || !second) throw new Error('no packets');
    expect(depacketizer.push({ ...first, isMarker: false })).toEqual([]);
    expect(depacketizer.push(second)).toMatchObject([{ timestamp: 3000 }, { timestamp: 6000 }]);
  });
});

describe('RTCP', () => {
  const block = {
    ssrc: 9,
    fractionLost: 12,
    packetsLost: -3,
    highestSequence: 70_000,
    jitter: 5,
    lastReport: 0x12345678,
    sinceLastReport: 65_536,
  };

  it('in compounds is parsed as it was written', () => {
    const wallMs = Date.UTC(2030, 1, 1, 0, 0, 0, 250);
    const compound = Buffer.concat([
      writeSenderReport({ ssrc: 1, wallMs, rtpTimestamp: 90_000, packets: 5, octets: 500 }),
      writeCname(1, 'a name'),
      writeReceiverReport(2, [block]),
      writeNack(2, 9, [65_534, 65_535, 0, 1, 30]),
      writePli(2, 9),
      writeRemb(2, 10_000_000, [9]),
    ]);
    const [sender, receiver, nack, keyframe, ...rest] = parseRtcp(compound);
    expect(sender).toMatchObject({ type: 'sender-report', ssrc: 1, rtpTimestamp: 90_000, packets: 5, octets: 500 });
    if (sender?.type !== 'sender-report') throw new Error('no report');
    expect(sender.ntpMs - 2_208_988_800_000).toBeCloseTo(wallMs, 1);
    expect(receiver).toEqual({ type: 'receiver-report', ssrc: 2, reports: [block] });
    expect(nack).toEqual({ type: 'nack', mediaSsrc: 9, sequences: [65_534, 65_535, 0, 1, 30] });
    expect(keyframe).toEqual({ type: 'keyframe-request', mediaSsrc: 9 });
    expect(rest).toEqual([]);
  });

  it('requests packets or a keyframe, wherever the request stands', () => {
    const report = writeReceiverReport(2, [block]);
    for (const asking of [writeNack(2, 9, [1]), writePli(2, 9)]) {
      expect(requestsMedia(asking)).toBe(true);
      expect(requestsMedia(Buffer.concat([report, writeRemb(2, 1, [9]), asking]))).toBe(true);
    }
    const arrivals = writeTransportFeedback({ ours: 2, media: 9 }, { base: 1, arrivalsMs: [1] }, 0);
    expect(requestsMedia(Buffer.concat([report, arrivals, writeRemb(2, 1, [9])]))).toBe(false);
  });

  it('writes the bitrate as exponent and mantissa', () => {
    const remb = writeRemb(1, 10_000_000, [2]);
    const word = remb.readUInt32BE(16);
    expect((word & 0x3ffff) * 2 ** ((word >> 18) & 0x3f)).toBeCloseTo(10_000_000, -2);
  });
});
