import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Demuxed, MalformedMedia, mostTracks } from '../../frame.ts';
import { clipOf, demuxAll, encodeTs, probe, testPicture, testTone, x264, x265 } from './clip.fixture.ts';
import { packetBytes } from './mpegts-constants.ts';
import { MpegTsDemuxer } from './mpegts-demuxer.ts';
import { MpegTsMuxer } from './mpegts-muxer.ts';

const bytes = encodeTs(...testPicture, ...testTone, ...x264, '-bf', '2', '-c:a', 'aac');
const whole = demuxAll(bytes, bytes.length);

function framesOf(items: readonly Demuxed[], kind: 'video' | 'audio') {
  return items.flatMap((item) => (item.type === 'frame' && item.frame.kind === kind ? [item.frame] : []));
}

/** Transport packet with this payload, filled up by its adaptation field. */
function padTo(packet: Buffer, payload: Buffer): Buffer {
  const fieldBytes = packetBytes - 4 - payload.length;
  const field = Buffer.alloc(fieldBytes, 0xff);
  field.writeUInt8(fieldBytes - 1, 0);
  field.writeUInt8(0, 1);
  const head = Buffer.from(packet.subarray(0, 4));
  head.writeUInt8((head.readUInt8(3) & 0x0f) | 0x30, 3);
  return Buffer.concat([head, field, payload]);
}

/** Only `MalformedMedia` may come out of input, whatever it is. */
function survives(input: Buffer): void {
  try {
    demuxAll(input, 4096);
  } catch (error) {
    if (!(error instanceof MalformedMedia)) throw error;
  }
}

describe('MpegTsDemuxer', () => {
  it('announces the tracks of the table first, finds configs before frames, and reports the contents of the stream', () => {
    const configs = whole.flatMap((item) => (item.type === 'config' ? [item.config] : []));
    expect(configs).toHaveLength(2);
    expect(configs).toContainEqual(
      expect.objectContaining({ codec: 'h264', width: 322, height: 182, profile: 'High', level: '1.3', fps: 30 }),
    );
    expect(configs).toContainEqual(
      expect.objectContaining({ codec: 'aac', sampleRate: 44_100, channels: 1, profile: 'LC' }),
    );
    expect(framesOf(whole, 'video')).toHaveLength(30);
    expect(framesOf(whole, 'video').filter(({ isKeyframe }) => isKeyframe)).toHaveLength(3);
    expect(whole[0]).toEqual({ type: 'metadata', values: { videocodecid: 7, audiocodecid: 10 } });
    expect(whole[1]?.type).toBe('config');
    expect(whole.filter(({ type }) => type === 'metadata')).toHaveLength(1);
  });

  it.each([1, 7, 187, 188, 189, 1316, 5000])('reads the same in chunks of %d bytes', (chunkBytes) => {
    expect(demuxAll(bytes, chunkBytes)).toEqual(whole);
  });

  it('spaces the frames of one PES packet by their duration', () => {
    const times = framesOf(whole, 'audio').map(({ dtsMs }) => dtsMs);
    expect(times.length).toBeGreaterThan(40);
    for (const [index, time] of times.entries()) {
      if (index > 0) expect(time - (times[index - 1] ?? 0)).toBeCloseTo(1024 / 44.1, 1);
    }
  });

  it('emits a frame of unknown length with its last packet, once the encoder is known to pad only there', () => {
    const demuxer = new MpegTsDemuxer();
    const isVideo = (at: number) => (bytes.readUInt16BE(at + 1) & 0x1fff) === 0x100;
    let [sent, found, inTime] = [0, 0, 0];
    for (let at = 0; at < bytes.length; at += packetBytes) {
      if (isVideo(at) && (bytes.readUInt8(at + 1) & 0x40) !== 0) {
        if (sent > 10 && found === sent) inTime += 1;
        sent += 1;
      }
      found += framesOf(demuxer.push(bytes.subarray(at, at + packetBytes)), 'video').length;
    }
    expect(sent).toBe(30);
    // A frame that fills its last packet exactly has no padding and waits for the next one.
    expect(inTime).toBeGreaterThanOrEqual(17);
    expect(found).toBeGreaterThanOrEqual(29);
  });

  it('waits for the next frame when an encoder pads in the middle of frames', () => {
    const padded: Buffer[] = [];
    const counters = new Map<number, number>();
    for (let at = 0; at < bytes.length; at += packetBytes) {
      const packet = Buffer.from(bytes.subarray(at, at + packetBytes));
      const pid = packet.readUInt16BE(1) & 0x1fff;
      const isPlain = (packet.readUInt8(3) & 0x30) === 0x10;
      const isSplit = pid === 0x100 && isPlain && (packet.readUInt8(1) & 0x40) === 0;
      const parts = isSplit ? [packet.subarray(4, 100), packet.subarray(100)] : [undefined];
      for (const part of parts) {
        const next = ((counters.get(pid) ?? -1) + 1) & 0xf;
        counters.set(pid, next);
        const out = part ? padTo(packet, part) : packet;
        out.writeUInt8((out.readUInt8(3) & 0xf0) | next, 3);
        padded.push(out);
      }
    }
    expect(framesOf(demuxAll(Buffer.concat(padded)), 'video').map(({ payload }) => payload)).toEqual(
      framesOf(whole, 'video').map(({ payload }) => payload),
    );
  });

  it('loses only the frame whose packet is lost', () => {
    const packets: Buffer[] = [];
    for (let at = 0; at < bytes.length; at += packetBytes) packets.push(bytes.subarray(at, at + packetBytes));
    const isVideoStart = (packet: Buffer) => (packet.readUInt16BE(1) & 0x5fff) === 0x4100;
    const second = packets.findIndex((packet, index) => index > 100 && isVideoStart(packet));
    const found = demuxAll(Buffer.concat(packets.filter((_, index) => index !== second + 1)));
    const pictures = framesOf(found, 'video');
    expect(pictures).toHaveLength(29);
    for (const picture of pictures) expect(framesOf(whole, 'video')).toContainEqual(picture);
  });

  it('keeps the part of a damaged frame before the loss on request, and never half a parameter set', () => {
    const packets: Buffer[] = [];
    for (let at = 0; at < bytes.length; at += packetBytes) packets.push(bytes.subarray(at, at + packetBytes));
    const isVideo = (packet: Buffer) => (packet.readUInt16BE(1) & 0x1fff) === 0x100;
    const all = framesOf(whole, 'video');
    for (const [lost, packet] of packets.entries()) {
      if (lost % 7 !== 0 || !isVideo(packet)) continue;
      const demuxer = new MpegTsDemuxer({ keepsCutVideo: true });
      const found = packets.flatMap((each, index) => (index === lost ? demuxer.lose(1) : demuxer.push(each)));
      const pictures = framesOf([...found, ...demuxer.flush()], 'video');
      const changed = pictures.filter((picture) => !all.some(({ payload }) => payload.equals(picture.payload)));
      expect(changed.length).toBeLessThan(2);
      expect(pictures.length).toBeGreaterThan(28);
      for (const { dtsMs, payload } of changed) {
        const original = all.find((picture) => picture.dtsMs === dtsMs)?.payload ?? Buffer.alloc(0);
        // Behind the lengths of NAL units, which differ.
        expect(original.includes(payload.subarray(-64))).toBe(true);
      }
      const configs = found.filter(({ type }) => type === 'config');
      expect(configs).toEqual(whole.filter(({ type }) => type === 'config'));
    }
  });

  it('does not join frames over a loss as long as a full cycle of its counters', () => {
    const packets: Buffer[] = [];
    for (let at = 0; at < bytes.length; at += packetBytes) packets.push(bytes.subarray(at, at + packetBytes));
    const video = packets.filter((packet) => (packet.readUInt16BE(1) & 0x1fff) === 0x100);
    const [from, to] = [20, 36].map((n) => packets.indexOf(video[n] ?? Buffer.alloc(0))) as [number, number];
    const demuxer = new MpegTsDemuxer();
    const found = packets.slice(0, from).flatMap((packet) => demuxer.push(packet));
    found.push(...demuxer.lose(to - from), ...packets.slice(to).flatMap((packet) => demuxer.push(packet)));
    for (const picture of framesOf(found, 'video')) expect(framesOf(whole, 'video')).toContainEqual(picture);
  });

  it('resynchronises after bytes that are not packets', () => {
    const middle = packetBytes * 100;
    const rubbish = Buffer.alloc(1000, 0x47);
    const found = demuxAll(
      Buffer.concat([Buffer.from('rubbish'), bytes.subarray(0, middle), rubbish, bytes.subarray(middle)]),
    );
    expect(framesOf(found, 'video').length).toBeGreaterThanOrEqual(28);
  });

  it('refuses input without any packets', () => {
    expect(() => demuxAll(Buffer.alloc(100_000))).toThrow(MalformedMedia);
  });

  it('refuses a frame that never ends', () => {
    const { video } = clipOf(bytes);
    const muxer = new MpegTsMuxer();
    if (video) muxer.setConfig(video);
    const demuxer = new MpegTsDemuxer();
    demuxer.push(muxer.tables());
    const payload = Buffer.alloc(9_000_000, 0x80);
    payload.writeUInt32BE(payload.length - 4, 0);
    const endless = muxer.frame({ kind: 'video', codec: 'h264', dtsMs: 0, ptsMs: 0, isKeyframe: true, payload });
    expect(() => demuxer.push(endless)).toThrow(MalformedMedia);
  });

  it('continues the timeline over frames without a timestamp', () => {
    const source = encodeTs(...testPicture, ...x264, '-bf', '0');
    const silent = Buffer.from(source);
    let pictures = 0;
    for (let at = 0; at < silent.length; at += packetBytes) {
      if ((silent.readUInt16BE(at + 1) & 0x5fff) !== 0x4100 || pictures++ % 3 < 2) continue;
      const pes = at + 4 + ((silent.readUInt8(at + 3) & 0x20) !== 0 ? 1 + silent.readUInt8(at + 4) : 0);
      silent[pes + 7] = 0;
    }
    expect(demuxAll(silent)).toEqual(demuxAll(source));
    expect(pictures).toBe(30);
  });

  it('recognises the keyframes of open groups of pictures', () => {
    const open = encodeTs(...testPicture, ...x264, '-bf', '2', '-x264-params', 'open-gop=1');
    const asProbed = probe(open, 'ts').packets.map(({ flags }) => flags.startsWith('K'));
    expect(framesOf(demuxAll(open), 'video').map(({ isKeyframe }) => isKeyframe)).toEqual(asProbed);
    expect(asProbed.filter(Boolean).length).toBeGreaterThan(1);
  });

  it('announces a new config when the parameter sets change', () => {
    const larger = encodeTs('-f', 'lavfi', '-i', 'testsrc2=size=640x360:rate=30:duration=1', ...x264, '-bf', '2');
    const configs = demuxAll(Buffer.concat([bytes, larger])).flatMap((item) =>
      item.type === 'config' ? [item.config] : [],
    );
    expect(configs.map((config) => (config.kind === 'video' ? config.width : 0))).toEqual(
      expect.arrayContaining([322, 640]),
    );
  });

  it('uses bounded memory and throws only MalformedMedia on changed bytes', () => {
    const hevc = encodeTs(...testPicture, ...testTone, ...x265, '-c:a', 'libopus');
    const mp3 = encodeTs(...testTone, '-c:a', 'libmp3lame');
    const change = fc.record({ at: fc.nat(), value: fc.integer({ min: 0, max: 255 }) });
    fc.assert(
      fc.property(
        fc.constantFrom(bytes, hevc, mp3),
        fc.array(change, { minLength: 1, maxLength: 40 }),
        fc.nat(),
        (source, changes, cut) => {
          const changed = Buffer.from(source.subarray(0, cut % 30_000));
          for (const { at, value } of changes) if (changed.length > 0) changed[at % changed.length] = value;
          survives(changed);
        },
      ),
      { numRuns: 300 },
    );
    fc.assert(fc.property(fc.uint8Array({ maxLength: 2000 }), (random) => survives(Buffer.from(random))));
  });

  it('reads several video and audio streams where it is to, with their languages, and no more than it may', () => {
    const languages = ['-metadata:s:a:0', 'language=eng', '-metadata:s:a:1', 'language=deu'];
    const maps = ['-map', '0:v', '-map', '0:v', ...Array.from({ length: 10 }, () => ['-map', '1:a']).flat()];
    const many = encodeTs(
      ...testPicture,
      ...testTone,
      ...maps,
      ...x264,
      '-s:v:1',
      '160x90',
      '-c:a',
      'aac',
      ...languages,
    );
    const demuxer = new MpegTsDemuxer({ readsTracks: true });
    const items = [...demuxer.push(many), ...demuxer.flush()];
    const tracks = (kind: 'video' | 'audio') =>
      new Set(items.flatMap((item) => (item.type === 'frame' && item.frame.kind === kind ? [item.track ?? 0] : [])));
    expect([tracks('video').size, tracks('audio').size]).toEqual([2, mostTracks]);
    const widths = items.flatMap((item) =>
      item.type === 'config' && item.config.kind === 'video' ? [`${item.track ?? 0} ${item.config.width}`] : [],
    );
    expect(widths.toSorted()[1]).toBe('1 160');
    const map = items.find((item) => item.type === 'metadata')?.values.audioTrackIdInfoMap;
    expect(map).toMatchObject({ 0: { language: 'eng' }, 1: { language: 'deu' }, 2: { language: '' } });
    expect(demuxAll(many, many.length).every((item) => !('track' in item))).toBe(true);
  });
});
