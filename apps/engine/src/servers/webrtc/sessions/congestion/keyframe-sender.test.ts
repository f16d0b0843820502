import { writeArrivals, writeNack, writePli } from '@weir/media/rtp';
import { describe, expect, it } from 'vitest';
import { sound } from '../../../../hub/frames.fixture.ts';
import { isContinuous, openStream } from '../webrtc-viewer.fixture.ts';

const extras = { repair: { payloadType: 103, ssrc: 5 }, transportNumber: 3 };
type Joined = ReturnType<ReturnType<typeof openStream>['join']>;

/** Tells that what was sent since the last call arrived after so long, with gaps; and when that was heard. */
function feedBack({ viewer, sent }: Joined, delayMs: number, isLost: (index: number) => boolean): number {
  const numbers = sent.flatMap((bytes) => ((bytes[0] ?? 0) & 0x10 ? [bytes.readUInt16BE(17)] : []));
  sent.length = 0;
  const nowMs = performance.now();
  const arrivalsMs = numbers.map((_, index) => (isLost(index) ? undefined : Math.round(nowMs + delayMs)));
  viewer.onPacket(writeArrivals({ ours: 9, media: 1 }, { base: numbers[0] ?? 0, arrivalsMs }, 1), nowMs + delayMs);
  return nowMs + delayMs;
}

/** A viewer whose line has just become too narrow, the moment it was noticed, and the next keyframe of some packets. */
function narrow() {
  const stream = openStream();
  stream.push(0, true);
  const joined = stream.join(extras);
  joined.viewer.start();
  for (let ms = 40; ms < 800; ms += 40) stream.push(ms);
  feedBack(joined, 0, () => false);
  for (let ms = 800; ms < 1600; ms += 40) stream.push(ms);
  const nowMs = feedBack(joined, 800, (index) => index % 2 === 1);
  return { ...stream, ...joined, nowMs };
}

describe('KeyframeSender', () => {
  it('sends audio at once and keyframes at a rate that fits, and nothing else', () => {
    const { viewer, push, publication, got, packager, nowMs } = narrow();
    expect(viewer.facts.keyframesOnly).toBe(1);
    push(1600);
    publication.frame({ ...sound(1600), codec: 'opus' });
    expect([got(1).length, got(2).length]).toEqual([0, 1]);
    push(2000, true, 5000);
    push(2040);
    // Packets queued on the line leave first.
    viewer.pump(packager().ring, 48, nowMs + 100);
    expect(got(1)).toEqual([]);
    const counts: number[] = [];
    for (let ms = 1300; ms < 4000; ms += 4) {
      viewer.pump(packager().ring, 48, nowMs + ms);
      counts.push(got(1).length);
    }
    const most = Math.max(...counts.map((count, index) => count - (counts[index - 1] ?? 0)));
    expect(most).toBeLessThanOrEqual(3);
    expect(got(1).map(({ isMarker }) => isMarker)).toEqual([false, false, false, false, false, true]);
    expect(isContinuous(got(1))).toBe(true);
    expect(new Set(got(1).map(({ timestamp }) => timestamp)).size).toBe(1);
  });

  it('retransmits lost packets of a keyframe at the same rate, and sends no extra keyframe on request', () => {
    const { viewer, push, got, sent, packager, facts, nowMs } = narrow();
    push(2000, true, 5000);
    for (let ms = 1300; ms < 3400; ms += 4) viewer.pump(packager().ring, 48, nowMs + ms);
    const lost = got(1)[2];
    if (!lost) throw new Error('nothing sent');
    const { asked } = facts;
    sent.length = 0;
    for (let round = 0; round < 500; round++) viewer.onPacket(writeNack(9, 1, [lost.sequence]), nowMs + 3400);
    viewer.onPacket(writePli(9, 1), nowMs + 3400);
    expect([got(5).length, facts.asked]).toEqual([0, asked]);
    for (let ms = 3404; ms < 3900; ms += 4) viewer.pump(packager().ring, 48, nowMs + ms);
    expect(got(5).length).toBeLessThan(10);
    expect(got(5)[0]?.payload.readUInt16BE(0)).toBe(lost.sequence);
  });

  it('sends the newest keyframe when it cannot send all of them, even after older ones are gone', () => {
    const { viewer, push, got, packager, nowMs } = narrow();
    for (let ms = 2000; ms < 8000; ms += 1000) push(ms, true, 5000);
    for (let ms = 1300; ms < 3400; ms += 4) viewer.pump(packager().ring, 48, nowMs + ms);
    const times = [...new Set(got(1).map(({ timestamp }) => timestamp))];
    expect(times).toHaveLength(1);
    push(8000, true, 5000);
    for (let ms = 3400; ms < 5400; ms += 4) viewer.pump(packager().ring, 48, nowMs + ms);
    const both = [...new Set(got(1).map(({ timestamp }) => timestamp))];
    expect(((both[1] ?? 0) - (both[0] ?? 0)) | 0).toBe(1000 * 90);
    expect(isContinuous(got(1))).toBe(true);
  });
});
