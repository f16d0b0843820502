import { isRtcp, parseRtcp, writeNack, writePli, writeReceiverReport } from '@weir/media/rtp';
import { describe, expect, it } from 'vitest';
import { client, picture, sound } from '../../../hub/frames.fixture.ts';
import { avcConfig, nalPicture } from '../webrtc.fixture.ts';
import { isContinuous, openStream } from './webrtc-viewer.fixture.ts';

/** Feedback about packets from a number on, spaced by quarters of a millisecond. */
function feedbackOf(base: number, count: number, quarters: number): Buffer {
  const body = Buffer.alloc(Math.ceil((16 + 2 + count) / 4) * 4);
  body.writeUInt16BE(base, 8);
  body.writeUInt16BE(count, 10);
  body.writeUInt16BE(0x2000 | count, 16);
  body.fill(quarters, 18, 18 + count);
  return Buffer.concat([Buffer.from([0x8f, 205, 0, body.length / 4]), body]);
}

describe('WebRtcViewer', () => {
  it('starts with the cached keyframe, its frames compressed in time before the newest one', () => {
    const { push, join } = openStream();
    push(0, true);
    push(40);
    push(80);
    const { viewer, got } = join();
    viewer.start();
    push(120);
    const pictures = got(1);
    expect(pictures.map(({ isMarker }) => isMarker)).toEqual([true, true, true, true]);
    const [first = 0, second = 0, newest = 0, next = 0] = pictures.map(({ timestamp }) => timestamp);
    expect([(second - first) | 0, (newest - second) | 0, (next - newest) | 0]).toEqual([90, 90, 3600]);
    expect(isContinuous(pictures)).toBe(true);
  });

  it('sends the parameter sets before each keyframe, and only new audio', () => {
    const { publication, push, join } = openStream();
    push(0, true);
    publication.frame({ ...sound(10), codec: 'opus' });
    const { viewer, got } = join();
    viewer.start();
    publication.frame({ ...sound(30), codec: 'opus' });
    publication.frame(sound(50));
    expect(got(1)[0]?.payload.subarray(0, 1)).toEqual(Buffer.from([0x60 | 24]));
    expect(got(2)).toHaveLength(1);
  });

  it('waits for a keyframe, and requests one, when none is cached', () => {
    const { push, join, facts } = openStream();
    const { viewer, got } = join();
    viewer.start();
    expect(facts.asked).toBe(1);
    push(40);
    expect(got(1)).toEqual([]);
    push(80, true);
    expect(got(1)).toHaveLength(1);
    viewer.onPacket(writePli(9, 1), 0);
    expect(facts.asked).toBe(2);
  });

  it('repeats the last keyframe on request when the publisher cannot be asked', () => {
    const { push, join, facts } = openStream();
    facts.canAsk = false;
    push(0, true);
    const { viewer, got } = join();
    viewer.start();
    push(40);
    push(80);
    const before = got(1);
    viewer.onPacket(writePli(9, 1), 5000);
    viewer.onPacket(writePli(9, 1), 5100);
    push(120);
    const pictures = got(1);
    expect(pictures).toHaveLength(before.length + 4);
    expect(pictures[3]?.payload.equals(pictures[0]?.payload ?? Buffer.alloc(0))).toBe(true);
    expect(isContinuous(pictures)).toBe(true);
    const steps = pictures.slice(1).map(({ timestamp }, index) => (timestamp - (pictures[index]?.timestamp ?? 0)) | 0);
    expect(steps.every((step) => step > 0)).toBe(true);
    expect(steps.reduce((sum, step) => sum + step, 0)).toBe(120 * 90);
  });

  it('continues numbers and timestamps when the publisher returns', () => {
    const { stream, publication, push, join } = openStream();
    push(0, true);
    const { viewer, got } = join();
    viewer.start();
    push(40);
    publication.end();
    const again = stream.publish(client());
    again.config(avcConfig);
    again.frame(nalPicture(900_000, false, 100));
    again.frame(nalPicture(900_040, true, 100));
    const pictures = got(1);
    expect(isContinuous(pictures)).toBe(true);
    const times = pictures.map(({ timestamp }) => timestamp);
    expect(((times[2] ?? 0) - (times[1] ?? 0)) | 0).toBeGreaterThan(0);
    expect(((times[2] ?? 0) - (times[1] ?? 0)) | 0).toBeLessThan(90_000);
  });

  it('retransmits lost packets with their numbers and timestamps, up to a limit', () => {
    const { push, join } = openStream();
    push(0, true);
    const { viewer, sent, got } = join();
    viewer.start();
    for (let ms = 40; ms < 400; ms += 40) push(ms);
    const before = got(1);
    const wanted = before[3];
    if (!wanted) throw new Error('nothing sent');
    sent.length = 0;
    viewer.onPacket(writeNack(9, 1, [wanted.sequence]), 1000);
    expect(got(1)).toEqual([wanted]);
    viewer.onPacket(writeNack(9, 1, [(wanted.sequence + 1000) & 0xffff, (wanted.sequence - 1000) & 0xffff]), 1000);
    viewer.onPacket(writeNack(9, 2, [wanted.sequence]), 1000);
    expect(got(1)).toHaveLength(1);
    for (let round = 0; round < 1000; round++) viewer.onPacket(writeNack(9, 1, [wanted.sequence]), 1000);
    expect(got(1).length).toBeLessThanOrEqual(400);
    expect(viewer.facts.packetsRetransmitted).toBeLessThanOrEqual(400);
  });

  it('retransmits lost audio packets as they were, also where video has an RTX stream', () => {
    const { publication, push, join } = openStream();
    push(0, true);
    const { viewer, sent, got } = join({ repair: { payloadType: 103, ssrc: 5 }, transportNumber: 3 });
    viewer.start();
    for (let ms = 0; ms < 200; ms += 20) publication.frame({ ...sound(ms), codec: 'opus' });
    const wanted = got(2)[4];
    if (!wanted) throw new Error('nothing sent');
    sent.length = 0;
    viewer.onPacket(writeNack(9, 2, [wanted.sequence, (wanted.sequence + 1000) & 0xffff]), 1000);
    expect(got(2)).toEqual([wanted]);
    expect(got(5)).toEqual([]);
    expect(viewer.facts.packetsRetransmitted).toBe(1);
  });

  it('retransmits lost packets in the RTX stream with their original number, where that was agreed', () => {
    const { push, join } = openStream();
    push(0, true);
    const { viewer, got } = join({ repair: { payloadType: 103, ssrc: 5 }, transportNumber: 3 });
    viewer.start();
    for (let ms = 40; ms < 400; ms += 40) push(ms);
    const wanted = got(1)[3];
    if (!wanted) throw new Error('nothing sent');
    for (let round = 0; round < 2; round++) viewer.onPacket(writeNack(9, 1, [wanted.sequence]), 1000);
    const [first, second] = got(5);
    expect(first).toMatchObject({ payloadType: 103, timestamp: wanted.timestamp });
    expect(first?.payload.readUInt16BE(0)).toBe(wanted.sequence);
    expect(first?.payload.subarray(2).equals(wanted.payload)).toBe(true);
    expect(((second?.sequence ?? 0) - (first?.sequence ?? 0)) & 0xffff).toBe(1);
    expect(got(1)).toHaveLength(10);
  });

  it('sends a large keyframe in several turns, more of them for less bandwidth', () => {
    const { push, join } = openStream();
    push(0, true, 200_000);
    const { viewer, got, sent } = join({ repair: { payloadType: 103, ssrc: 5 }, transportNumber: 3 });
    viewer.start();
    const burst = got(1).length;
    expect(burst).toBeGreaterThan(10);
    expect(burst).toBeLessThan(60);
    // All of them came, one each four milliseconds: 2.4 Mbit/s.
    const base = sent.find((bytes) => !isRtcp(bytes))?.readUInt16BE(17) ?? 0;
    viewer.onPacket(feedbackOf(base, burst, 16), 10);
    expect(viewer.facts.lineKbps).toBeGreaterThan(2000);
    expect(viewer.facts.lineKbps).toBeLessThan(3000);
    push(40);
    expect(got(1).length - burst).toBeLessThan(8);
  });

  it('reports both tracks on one clock, and reads round trip and loss from the answer', () => {
    const { publication, push, join } = openStream();
    push(0, true);
    const { viewer, sent } = join();
    viewer.start();
    push(40);
    publication.frame({ ...sound(40), codec: 'opus' });
    viewer.tick(performance.now() + 5000);
    const reports = sent.filter(isRtcp).flatMap(parseRtcp);
    expect(reports.map(({ type }) => type)).toEqual(['sender-report', 'sender-report']);
    const [video] = reports;
    if (video?.type !== 'sender-report') throw new Error('no report');
    const block = { ssrc: 1, packetsLost: 1, highestSequence: 0, jitter: 0, sinceLastReport: 0 };
    const report = writeReceiverReport(9, [
      { ...block, fractionLost: 64, lastReport: (video.ntpMiddle - 65_536 * 5) >>> 0 },
    ]);
    viewer.onPacket(report, performance.now());
    expect(viewer.facts.lossPercent).toBe(25);
    // The clock of the wall tells whole milliseconds.
    expect(viewer.facts.rttMs).toBeGreaterThan(4998);
    expect(viewer.facts.rttMs).toBeLessThan(6000);
    // Excludes time spent in the receive queue.
    viewer.onPacket(report, performance.now() - 4000);
    expect(viewer.facts.rttMs).toBeGreaterThan(900);
    expect(viewer.facts.rttMs).toBeLessThan(2000);
  });

  it('releases everything, and is notified of the end', () => {
    const { stream, push, join, facts } = openStream();
    push(0, true);
    const [first, second] = [join(), join()];
    first.viewer.start();
    second.viewer.start();
    first.viewer.stop();
    expect(facts.empty).toBe(0);
    stream.close();
    expect(facts.over).toBe(1);
    second.viewer.stop();
    expect(facts.empty).toBe(1);
    push(40);
    expect(second.got(1)).toHaveLength(1);
  });
});

describe('WebRtcViewer with malformed video frames', () => {
  it('leaves them out', () => {
    const { publication, push, join } = openStream();
    push(0, true);
    const { viewer, got } = join();
    viewer.start();
    publication.frame(picture(40));
    push(80);
    expect(got(1)).toHaveLength(2);
  });
});
