import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { MediaFrame } from '@weir/media';
import { createLog } from '@weir/plane';
import { segmentFormats } from '@weir/streams';
import { describe, expect, it, vi } from 'vitest';
import { FakeClock, sample } from './hls-source.fixture.ts';
import { HlsVariant } from './hls-variant.ts';
import { partTargetMs } from './low-latency/part-maker.ts';
import { SegmentCache } from './segment-cache.ts';
import { FrameDates } from './segments/frame-dates.ts';
import { lowLatencyLengths, ordinaryLengths } from './segments/segment-lengths.ts';
import { SegmentWriter } from './segments/segment-writer.ts';
import { Segmenter } from './segments/segmenter.ts';
import { StreamPaths } from './segments/stream-paths.ts';
import { TargetDuration } from './segments/target-duration.ts';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;
const megabyte = 1024 * 1024;

/** Real configs and a first keyframe, and then pictures of a megabyte that all claim the same time. */
function standingStill() {
  const { configs, frames } = sample(1);
  const [key] = frames.filter(({ kind }) => kind === 'video');
  if (!key) throw new Error('no picture');
  const payload = Buffer.alloc(megabyte);
  payload.writeUInt32BE(megabyte - 4, 0);
  payload.writeUInt8(0x41, 4);
  const picture = (): MediaFrame => ({ ...key, isKeyframe: false, payload: Buffer.from(payload) });
  return { configs, key, picture };
}

function logging() {
  const log = createLog('test', 'error');
  log.level = 'silent';
  const warn = vi.spyOn(log, 'warn');
  return { log, warn };
}

const clock = new FakeClock();
const dates = new FrameDates(() => clock.dateMs());
const rules = () => ({ fragmentMs: 10_000, windowMs: 60_000, playlistMaxAgeSeconds: 10 });
const low = lowLatencyLengths(new TargetDuration(), undefined);
const ordinary = ordinaryLengths(new TargetDuration(), rules);
const shared = {
  clock,
  dates,
  rules,
  paths: new StreamPaths('/nowhere', 'live/show'),
  hot: new SegmentCache(),
  announcesVideo: () => true,
  firstSequence: 1,
  isContinued: true,
  onFile: () => undefined,
};

describe('S40: a publisher whose timestamps stand still', () => {
  it('costs low-latency HLS bounded memory, and one warning', async () => {
    const { log, warn } = logging();
    const onChange = vi.fn();
    const packager = new HlsVariant({
      ...shared,
      log,
      writer: new SegmentWriter(log),
      format: segmentFormats.fmp4,
      lengths: low,
      cutter: new Segmenter(() => low.rules()),
      parts: { hot: shared.hot, partTargetMs, longestGroupMs: undefined, onChange },
    });
    const { configs, key, picture } = standingStill();
    for (const config of configs) packager.onConfig(config);
    packager.onFrame(key);
    collect();
    const before = process.memoryUsage().arrayBuffers;
    for (let sent = 0; sent < 250; sent++) packager.onFrame(picture());
    // Memory of buffers is given back beside the collection, some time after it.
    const isBounded = () => {
      collect();
      expect((process.memoryUsage().arrayBuffers - before) / megabyte).toBeLessThan(100);
    };
    await vi.waitFor(isBounded, { interval: 50 });
    expect(onChange.mock.calls.length).toBeGreaterThan(50);
    expect(warn).toHaveBeenCalledTimes(1);
    // The stream goes on: the clock moves again, and a segment of it is there.
    const first = /MEDIA-SEQUENCE:(\d+)/.exec(String(packager.parts?.playlist(false)))?.[1];
    for (let ms = 0; ms <= 60_000; ms += 40)
      packager.onFrame({ ...key, dtsMs: key.dtsMs + ms, ptsMs: key.ptsMs + ms, isKeyframe: ms % 1000 === 0 });
    const playlist = String(packager.parts?.playlist(false));
    expect(Number(/MEDIA-SEQUENCE:(\d+)/.exec(playlist)?.[1])).toBeGreaterThan(Number(first));
    expect(playlist.match(/#EXTINF:2\.000/g)?.length).toBeGreaterThan(3);
    packager.dispose();
  });

  it('does not fill the memory with its first frames', () => {
    const { log } = logging();
    const packager = new HlsVariant({
      ...shared,
      log,
      writer: new SegmentWriter(log),
      format: segmentFormats.mpegts,
      lengths: ordinary,
      cutter: new Segmenter(() => ordinary.rules()),
    });
    const { configs, key, picture } = standingStill();
    for (const config of configs.filter(({ kind }) => kind === 'video')) packager.onConfig(config);
    packager.onFrame(key);
    const refs = Array.from({ length: 20 }, () => {
      const frame = picture();
      packager.onFrame(frame);
      return new WeakRef(frame);
    });
    return new Promise<void>((resolve) => setImmediate(resolve)).then(() => {
      collect();
      expect(refs.filter((ref) => ref.deref() !== undefined)).toHaveLength(0);
      packager.dispose();
    });
  });
});
