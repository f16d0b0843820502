import { describe, expect, it } from 'vitest';
import { readProbe } from './source-prober.ts';
import { checkProbe, checkTogether } from './source-rules.ts';

const video = {
  codec_type: 'video',
  codec_name: 'h264',
  profile: 'High',
  width: 1280,
  height: 720,
  pix_fmt: 'yuv420p',
};
const audio = { codec_type: 'audio', codec_name: 'aac', sample_rate: '44100', channels: 2 };
const probed = (streams: object[], bitRate = '1200000') =>
  readProbe({ streams, format: { duration: '10.5', bit_rate: bitRate, nb_streams: 2 } });
const source = (name: string, streams: object[], type: 'upload' | 'stream' = 'upload') => ({
  name,
  type,
  ...probed(streams),
});

describe('the output of ffprobe', () => {
  it('is stored for the first video and audio track, with numbers as printed', () => {
    const { format, video: picture, audio: sound } = probed([audio, video, { ...video, width: 1 }]);
    expect(format).toMatchObject({
      duration: '10.5',
      bit_rate: '1200000',
      nb_streams: 2,
      start_time: '',
      has_video: true,
      has_audio: true,
    });
    expect(picture).toMatchObject({ codec_name: 'h264', width: 1280, height: 720, bit_rate: '' });
    expect(sound).toMatchObject({ codec_name: 'aac', sample_rate: '44100', channels: 2 });
  });

  it.each([[{}], [[]], [{ streams: 'x', format: null }], [{ streams: [{ width: 'NaN' }] }]])(
    'may be anything: %j',
    (json) => {
      if (Array.isArray(json)) expect(() => readProbe(json)).toThrow();
      else expect(readProbe(json)).toMatchObject({ video: null, audio: null });
    },
  );

  it('does not count the cover of a song as video', () => {
    expect(probed([{ ...video, codec_name: 'mjpeg', disposition: { attached_pic: 1 } }, audio]).video).toBeNull();
  });
});

describe('a source', () => {
  it.each([
    [[video, audio]],
    [[{ ...video, codec_name: 'hevc' }, audio]],
    [[video]],
    [[{ ...audio, codec_name: 'mp3' }]],
  ])('may have %j', (streams) => {
    checkProbe(probed(streams), { limitKbps: 5000 });
  });

  it.each([
    [[{ ...video, codec_name: 'vp9' }], 'invalid video codec vp9, should be h264, hevc, aac, mp3'],
    [[video, { ...audio, codec_name: 'opus<img>' }], 'invalid audio codec opusimg, should be'],
    [[], 'neither video nor audio'],
  ])('with %j is refused', (streams, why) => {
    expect(() => checkProbe(probed(streams), { limitKbps: 5000 })).toThrow(why);
  });

  it('may have any audio where it is encoded again', () => {
    checkProbe(probed([video, { ...audio, codec_name: 'pcm_alaw' }]), { limitKbps: 5000, anyAudio: true });
  });

  it('must keep to the bit rate limit, where it states its rate', () => {
    expect(() => checkProbe(probed([video], '5100000'), { limitKbps: 5000 })).toThrow(
      'bitrate 5100Kbps is too large, exceed 5000Kbps',
    );
    checkProbe(probed([video], ''), { limitKbps: 5000 });
  });
});

describe('several sources', () => {
  it('play in turn when their formats match', () => {
    checkTogether([source('a', [video, audio]), source('b', [video, audio])]);
    checkTogether([source('s', [video, audio], 'stream')]);
  });

  it.each([
    ['another size', [{ ...video, width: 640, height: 360 }, audio]],
    ['another codec', [{ ...video, codec_name: 'hevc' }, audio]],
    ['no sound', [video]],
    ['another rate of sound', [video, { ...audio, sample_rate: '48000' }]],
  ])('are refused when one has %s', (_what, streams) => {
    expect(() => checkTogether([source('a', [video, audio]), source('b', streams)])).toThrow(
      'must have the same format',
    );
  });

  it('are refused when one of them never ends', () => {
    expect(() => checkTogether([source('a', [video]), source('s', [video], 'stream')])).toThrow(
      'must be the only source',
    );
  });
});
