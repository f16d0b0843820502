import { joinNals, type MediaFrame, type TrackConfig } from '@weir/media';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sound } from '../../hub/frames.fixture.ts';
import { avcConfig, nalPicture } from '../../servers/webrtc/webrtc.fixture.ts';
import { StreamPackets } from './stream-packets.ts';

/** 20 ms of Opus. */
const opus = (ms: number) => ({ ...sound(ms), codec: 'opus' as const, payload: Buffer.from([0xfc, 1, 2, 3]) });
/** 10 ms of it. */
const shortOpus = (ms: number) => ({ ...opus(ms), payload: Buffer.from([0xf4, 1, 2, 3]) });
const timesOf = ({ ring }: StreamPackets) =>
  Array.from({ length: ring.end - ring.start }, (_, index) => ring.at(ring.start + index)?.timestamp);

describe('RTP packets of a stream', () => {
  it('hold one audio frame each, or two where that is wanted and nothing is missing between', () => {
    const packets = new StreamPackets();
    packets.frame(opus(0), false);
    for (const ms of [20, 40, 60, 80, 200]) packets.frame(opus(ms), true);
    expect(timesOf(packets)).toEqual([0, 20 * 48, 60 * 48]);
    packets.frame(opus(300), true);
    expect(timesOf(packets)).toEqual([0, 20 * 48, 60 * 48, 200 * 48]);
    packets.frame(opus(320), false);
    expect(timesOf(packets)).toEqual([0, 20 * 48, 60 * 48, 200 * 48, 300 * 48]);
  });

  it('hold four audio frames of 10 ms where joining is wanted, and one where it is not', () => {
    const packets = new StreamPackets();
    for (const ms of [0, 10]) packets.frame(shortOpus(ms), false);
    for (const ms of [20, 30, 40, 50, 60, 70, 80, 90, 100]) packets.frame(shortOpus(ms), true);
    expect(timesOf(packets)).toEqual([0, 480, 960, 60 * 48]);
    packets.frame(shortOpus(110), false);
    expect(timesOf(packets)).toEqual([0, 480, 960, 60 * 48, 100 * 48]);
  });

  it('of audio wait for the next video frame and are sent behind it', () => {
    const packets = new StreamPackets();
    packets.config(avcConfig);
    packets.frame(nalPicture(0, true, 2999), true);
    for (const ms of [0, 20]) packets.frame(opus(ms), true);
    const { end } = packets.ring;
    packets.frame(nalPicture(40, false, 2999), true);
    const added = Array.from({ length: packets.ring.end - end }, (_, index) => packets.ring.at(end + index));
    expect(added.map((packet) => packet?.isVideo)).toEqual([true, true, true, false]);
    // Cut by the kernel: equal lengths, and only the last is shorter.
    const [first, second, third, sound] = added.map((packet) => packet?.payload.length ?? 0);
    expect([second, third]).toEqual([first, first]);
    expect(sound).toBeLessThan(first ?? 0);
    const last = added[2];
    expect(last?.padding).toBeGreaterThan(0);
    expect(last?.payload.at(-1)).toBe(last?.padding);
    expect(added[3]?.timestamp).toBe(0);
    // No picture comes for a while: sounds leave in pairs by themselves.
    for (const ms of [40, 60, 80, 100, 120, 140, 160, 180]) packets.frame(opus(ms), true);
    expect(timesOf(packets).slice(end + 4)).toEqual([40 * 48, 80 * 48, 120 * 48, 160 * 48]);
  });

  it('of audio count samples though times are whole milliseconds, and sender reports match them', () => {
    const packets = new StreamPackets();
    const times = Array.from({ length: 100 }, (_, index) => index * 20 + (index % 3) - 1);
    for (const [index, ms] of times.entries()) packets.frame(opus(ms), index % 10 < 5);
    const stamps = timesOf(packets).map(Number);
    const start = stamps[0] ?? 0;
    expect(stamps.every((stamp) => (stamp - start) % 960 === 0)).toBe(true);
    expect(stamps.at(-1)).toBe(start + 99 * 960);
    expect(Math.abs(packets.audioTicksAt(1980) - (stamps.at(-1) ?? 0))).toBeLessThanOrEqual(48);
    packets.seam();
    packets.frame(opus(1990), false);
    expect(timesOf(packets).at(-1)).toBe(start + 100 * 960);
    expect(packets.audioTicksAt(1990)).toBe(start + 100 * 960);
  });

  it('begin with a keyframe, also after a discontinuity, and continue their sequence numbers', () => {
    const packets = new StreamPackets();
    packets.config(avcConfig);
    for (const [ms, isKeyframe] of [
      [0, false],
      [40, true],
      [80, false],
    ] as const)
      packets.frame(nalPicture(ms, isKeyframe, 50), false);
    expect(packets.ring.end).toBe(2);
    packets.seam();
    expect(packets.ring.entry).toBeUndefined();
    packets.frame(nalPicture(120, false, 50), false);
    packets.frame(nalPicture(160, true, 3000), false);
    expect(packets.ring.at(2)).toMatchObject({ sequence: 2, isEntry: true, picture: 2, isMarker: false });
    expect(packets.newest).toEqual({ picture: 2, timestamp: 160 * 90 });
  });

  it('leave out the filler data of an encoder', () => {
    const packets = new StreamPackets();
    packets.config(avcConfig);
    const filler = Buffer.alloc(5000, 0xff);
    filler[0] = 12;
    const { payload } = nalPicture(0, true, 50);
    packets.frame({ ...nalPicture(0, true, 50), payload: Buffer.concat([payload, joinNals([filler])]) }, false);
    expect(packets.ring.end).toBe(1);
  });

  it('S40: leave out audio frames larger than a datagram, and video frames of too many slices', () => {
    const packets = new StreamPackets();
    packets.config(avcConfig);
    packets.frame({ ...opus(0), payload: Buffer.alloc(8 * 1024 * 1024, 0xfc) }, false);
    const slices = Array.from({ length: 20_000 }, () => Buffer.from([0x65, 0xab]));
    packets.frame({ ...nalPicture(0, true, 50), payload: joinNals(slices) }, false);
    expect(packets.ring.end).toBe(0);
    packets.frame(nalPicture(40, true, 50), false);
    packets.frame(opus(40), false);
    expect(packets.ring.end).toBe(2);
  });

  it('S34: leave out frames that cannot be packetized, whatever a publisher sends, and never throw', () => {
    const bytes = fc.uint8Array({ maxLength: 300 }).map((some) => Buffer.from(some));
    const times = fc.oneof(fc.double({ noNaN: true }), fc.integer({ min: -1000, max: 2 ** 40 }));
    const frame = fc.record({
      dtsMs: times,
      ptsMs: times,
      isKeyframe: fc.boolean(),
      payload: bytes,
      isVideo: fc.boolean(),
    });
    const codec = fc.constantFrom('h264', 'h265', 'av1', 'vp9');
    const record = fc.oneof(fc.constant(avcConfig.record), bytes);
    fc.assert(
      fc.property(codec, record, fc.array(frame, { maxLength: 10 }), fc.boolean(), (video, some, frames, joins) => {
        const packets = new StreamPackets();
        packets.config({ ...avcConfig, codec: video, record: some } as TrackConfig);
        for (const { isVideo, ...rest } of frames) {
          const what = isVideo ? { kind: 'video', codec: video } : { kind: 'audio', codec: 'opus' };
          packets.frame({ ...rest, ...what } as MediaFrame, joins);
        }
      }),
      { numRuns: 1500 },
    );
  });
});
