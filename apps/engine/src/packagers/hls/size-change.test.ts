import type { VideoConfig } from '@weir/media';
import { expect, it } from 'vitest';
import { CheckedStream } from './checked-stream.fixture.ts';
import { sample } from './hls-source.fixture.ts';

/** Records that do not tell the size: of VP9 none does, of AV1 one without a sequence header. */
const records = { vp9: '01000000000a820202020000', av1: '81040c00' } as const;

it.each(['vp9', 'av1'] as const)(
  'repeats the init segment, without a discontinuity, when a publisher of %s changes only the video size',
  async (codec) => {
    const checked = await CheckedStream.open();
    const record = Buffer.from(records[codec], 'hex');
    const facts = { kind: 'video', codec, record, profile: '', level: '', fps: 25 } as const;
    const small: VideoConfig = { ...facts, width: 640, height: 360 };
    const large: VideoConfig = { ...facts, width: 1280, height: 720 };
    const stream = () => checked.streams.find('live/show');
    const text = () => stream()?.watchLow()?.playlist(false).toString() ?? '';
    const play = (seconds: number, fromMs: number) => {
      for (let ms = 0; ms < 1000 * seconds; ms += 40) {
        const dtsMs = fromMs + ms;
        const payload = Buffer.alloc(64, 1);
        checked.source.frame({ kind: 'video', codec, dtsMs, ptsMs: dtsMs, isKeyframe: ms % 1000 === 0, payload });
        text();
      }
    };
    checked.source.config(small);
    play(6, 0);
    // Encoders repeat their config.
    checked.source.config({ ...small });
    play(2, 6000);
    expect(text().match(/#EXT-X-MAP:/g)).toHaveLength(1);
    expect(text()).not.toContain('#EXT-X-DISCONTINUITY\n');
    checked.source.config(large);
    play(6, 8000);
    expect(text().match(/#EXT-X-MAP:/g)).toHaveLength(2);
    expect(text()).not.toContain('#EXT-X-DISCONTINUITY\n');
    const dates = [...text().matchAll(/#EXT-X-PROGRAM-DATE-TIME:(.*)/g)].map(([, date = '']) => Date.parse(date));
    expect(dates).toEqual(dates.toSorted((a, b) => a - b));
  },
);

it('starts a new ordinary segment when only the video size changes', async () => {
  const checked = await CheckedStream.open();
  const { configs, frames } = sample(12);
  const video = configs.find(({ kind }) => kind === 'video') as VideoConfig;
  checked.source.play({ configs, frames });
  checked.source.config({ ...video });
  checked.source.play({ configs: [], frames }, 12_000);
  const plain = () => stream()?.main.playlist('')?.body.toString() ?? '';
  const stream = () => checked.streams.find('live/show');
  expect(plain()).not.toContain('#EXT-X-DISCONTINUITY\n');
  checked.source.config({ ...video, width: 2 * video.width });
  checked.source.play({ configs: [], frames }, 24_000);
  checked.source.play({ configs: [], frames }, 36_000);
  expect(plain()).toContain('#EXT-X-DISCONTINUITY\n');
});

it('marks a change of codec as a discontinuity for low-latency players', async () => {
  const checked = await CheckedStream.open();
  const { configs, frames } = sample(6);
  const text = () => checked.streams.find('live/show')?.watchLow()?.playlist(false).toString() ?? '';
  checked.source.config(configs.find(({ kind }) => kind === 'video') as VideoConfig);
  const play = (codec: VideoConfig['codec'], fromMs: number) => {
    for (const frame of frames.filter(({ kind }) => kind === 'video')) {
      checked.source.frame({ ...frame, codec, dtsMs: frame.dtsMs + fromMs, ptsMs: frame.ptsMs + fromMs });
      text();
    }
  };
  play('h264', 0);
  const record = Buffer.from(records.vp9, 'hex');
  checked.source.config({
    kind: 'video',
    codec: 'vp9',
    record,
    width: 640,
    height: 360,
    profile: '',
    level: '',
    fps: 25,
  });
  play('vp9', 6000);
  expect(text().match(/#EXT-X-DISCONTINUITY\n/g)).toHaveLength(1);
});
