import { describe, expect, it } from 'vitest';
import { writeAudioSpecificConfig } from '../../codecs/aac.ts';
import type { AudioConfig, MediaFrame } from '../../frame.ts';
import {
  type Clip,
  clipArgs,
  clipOf,
  differencesOf,
  encodeTs,
  probe,
  testPicture,
  testTone,
  x264,
} from './clip.fixture.ts';
import { packetBytes } from './mpegts-constants.ts';
import { MpegTsDemuxer } from './mpegts-demuxer.ts';
import { MpegTsMuxer } from './mpegts-muxer.ts';

const stereo: AudioConfig = {
  kind: 'audio',
  codec: 'aac',
  record: writeAudioSpecificConfig({ objectType: 2, sampleRate: 48_000, channels: 2 }),
  sampleRate: 48_000,
  channels: 2,
  profile: 'LC',
};

/** Writes the tables before each keyframe, as HLS does. */
function mux({ video, audio, frames }: Clip): Buffer {
  const muxer = new MpegTsMuxer();
  for (const config of [video, audio]) if (config) muxer.setConfig(config);
  const parts = [muxer.tables()];
  for (const frame of frames) {
    if (frame.kind === 'video' && frame.isKeyframe) parts.push(muxer.tables());
    parts.push(muxer.frame(frame));
  }
  return Buffer.concat(parts);
}

interface Packet {
  readonly pid: number;
  readonly continuity: number;
  readonly hasPayload: boolean;
  readonly isRandomAccess: boolean;
  readonly pcr90k: number | undefined;
}

function packetsOf(bytes: Buffer): Packet[] {
  const packets: Packet[] = [];
  for (let at = 0; at < bytes.length; at += packetBytes) {
    expect(bytes[at]).toBe(0x47);
    const control = bytes.readUInt8(at + 3);
    const field = (control & 0x20) !== 0 && bytes.readUInt8(at + 4) > 0 ? bytes.readUInt8(at + 5) : 0;
    packets.push({
      pid: bytes.readUInt16BE(at + 1) & 0x1fff,
      continuity: control & 0xf,
      hasPayload: (control & 0x10) !== 0,
      isRandomAccess: (field & 0x40) !== 0,
      pcr90k: (field & 0x10) !== 0 ? bytes.readUInt32BE(at + 6) * 2 + (bytes.readUInt8(at + 10) >> 7) : undefined,
    });
  }
  return packets;
}

function sound(dtsMs: number, bytes = 300): MediaFrame {
  return { kind: 'audio', codec: 'aac', dtsMs, ptsMs: dtsMs, isKeyframe: true, payload: Buffer.alloc(bytes, 0x21) };
}

function picture(dtsMs: number, bytes: number, isKeyframe = false): MediaFrame {
  const payload = Buffer.alloc(bytes, 0x80);
  payload.writeUInt32BE(bytes - 4, 0);
  payload[4] = isKeyframe ? 0x65 : 0x41;
  return { kind: 'video', codec: 'h264', dtsMs, ptsMs: dtsMs + 40, isKeyframe, payload };
}

describe('MpegTsMuxer', () => {
  it.each(Object.entries(clipArgs))('writes %s so that ffmpeg reads the same back', (_, args) => {
    const clip = clipOf(encodeTs(...args));
    expect(clip.frames.length).toBeGreaterThanOrEqual(30);
    expect(differencesOf(clip, probe(mux(clip), 'ts'))).toEqual([]);
  });

  const clip = clipOf(encodeTs(...testPicture, ...testTone, ...x264, '-bf', '2', '-c:a', 'aac'));
  const { video } = clip;
  if (!video) throw new Error('the test clip has no video');

  it('makes a segment that begins at a later keyframe playable alone', () => {
    const keyframes = clip.frames.filter(({ kind, isKeyframe }) => kind === 'video' && isKeyframe);
    const from = clip.frames.indexOf(keyframes[1] ?? sound(0));
    const segment = { ...clip, frames: clip.frames.slice(from) };
    expect(differencesOf(segment, probe(mux(segment), 'ts'))).toEqual([]);
  });

  it('continues the packet counters without a gap, whatever the frame sizes', () => {
    const muxer = new MpegTsMuxer();
    muxer.setConfig(video);
    muxer.setConfig(stereo);
    const counters = new Map<number, number>();
    for (let bytes = 6; bytes < 1200; bytes++) {
      const parts = [
        muxer.tables(),
        muxer.frame(picture(bytes * 40, bytes, bytes % 7 === 0)),
        muxer.frame(sound(bytes * 40, bytes)),
      ];
      for (const { pid, continuity, hasPayload } of packetsOf(Buffer.concat(parts))) {
        const before = counters.get(pid);
        if (before !== undefined) expect(continuity).toBe(hasPayload ? (before + 1) & 0xf : before);
        counters.set(pid, continuity);
      }
    }
  });

  it('writes frames of every size unharmed', () => {
    const muxer = new MpegTsMuxer();
    muxer.setConfig(video);
    muxer.setConfig(stereo);
    const demuxer = new MpegTsDemuxer();
    demuxer.push(muxer.tables());
    demuxer.push(muxer.frame(picture(0, 100, true)));
    for (const bytes of [6, 100, 150, 151, 152, 153, 160, 183, 184, 185, 360, 65_500, 65_530, 65_600, 300_000]) {
      const source = picture(bytes, bytes);
      const found = [...demuxer.push(muxer.frame(source)), ...demuxer.flush()];
      expect(found).toEqual([{ type: 'frame', frame: source }]);
    }
  });

  it('writes the clock at every keyframe and at least every 100 ms, even when video frames are rare', () => {
    const muxer = new MpegTsMuxer();
    muxer.setConfig(video);
    muxer.setConfig(stereo);
    const parts: Buffer[] = [];
    for (let index = 0; index < 500; index++) {
      const timeMs = 10_000 + (index * 1024) / 48;
      if (index % 47 === 0) parts.push(muxer.frame(picture(timeMs, 2000, true)));
      parts.push(muxer.frame(sound(timeMs)));
    }
    const packets = packetsOf(Buffer.concat(parts));
    const times = packets.filter(({ pid }) => pid === 0x100).flatMap(({ pcr90k }) => pcr90k ?? []);
    for (const [index, time] of times.entries()) {
      if (index > 0) expect(time - (times[index - 1] ?? 0)).toBeLessThanOrEqual(9000);
      if (index > 0) expect(time).toBeGreaterThanOrEqual(times[index - 1] ?? 0);
    }
    expect(packets.filter(({ isRandomAccess, pcr90k }) => isRandomAccess && pcr90k !== undefined)).toHaveLength(11);
  });

  it('writes the clock with the audio when there is no video', () => {
    const muxer = new MpegTsMuxer();
    muxer.setConfig(stereo);
    expect(muxer.tables().readUInt16BE(packetBytes + 13) & 0x1fff).toBe(0x101);
    expect(packetsOf(muxer.frame(sound(1000)))[0]).toMatchObject({ pid: 0x101, pcr90k: 81_000 });
  });

  it('keeps time over an hour in which the 33 bits overflow', () => {
    const muxer = new MpegTsMuxer();
    muxer.setConfig(video);
    muxer.setConfig(stereo);
    const demuxer = new MpegTsDemuxer();
    demuxer.push(muxer.tables());
    const startMs = 2 ** 33 / 90 - 1_800_000;
    let pictures = 0;
    let worstMs = 0;
    let count = 0;
    for (let sounds = 0; sounds < 168_750; sounds++) {
      const soundMs = startMs + (sounds * 1024) / 48;
      const sources = [sound(soundMs, 8)];
      if (startMs + pictures * 40 <= soundMs)
        sources.unshift(picture(startMs + 40 * pictures, 20, pictures++ % 50 === 0));
      for (const source of sources) {
        for (const item of demuxer.push(muxer.frame(source))) {
          if (item.type !== 'frame') continue;
          count += 1;
          worstMs = Math.max(
            worstMs,
            Math.abs(item.frame.dtsMs - source.dtsMs),
            Math.abs(item.frame.ptsMs - source.ptsMs),
          );
        }
      }
    }
    expect(count).toBe(168_750 + 90_000);
    expect(worstMs).toBeLessThan(1 / 90);
  });

  it('changes the version of its table only when the tracks change', () => {
    const muxer = new MpegTsMuxer();
    const version = () => (muxer.tables().readUInt8(packetBytes + 10) >> 1) & 0x1f;
    muxer.setConfig(video);
    expect(version()).toBe(0);
    muxer.setConfig(video);
    expect(version()).toBe(0);
    muxer.setConfig(stereo);
    expect(version()).toBe(1);
  });

  it('writes nothing for an unknown track', () => {
    const muxer = new MpegTsMuxer();
    muxer.setConfig({
      kind: 'video',
      codec: 'av1',
      record: Buffer.alloc(4),
      width: 0,
      height: 0,
      profile: '',
      level: '',
      fps: 0,
    });
    expect(muxer.frame({ ...picture(0, 20), codec: 'av1' })).toHaveLength(0);
    expect(muxer.frame(sound(0))).toHaveLength(0);
  });
});
