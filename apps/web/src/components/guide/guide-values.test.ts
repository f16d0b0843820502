import { streamAddresses } from '@weir/streams';
import { expect, it } from 'vitest';
import { guideValues } from './guide-values.ts';

const values = guideValues(
  streamAddresses({
    secret: { publish: 's3cret' },
    page: { protocol: 'http:', hostname: 'live.example.com', port: '2022' },
    environment: { rtmpPort: '1935', srtPort: '10080', httpPort: '' },
  }),
);

it.each([
  ['rtmpPublishUrl', 'rtmp://live.example.com/live/livestream?secret=s3cret'],
  ['ffmpegRtmp', 'ffmpeg -re -i ./sample.mp4 -c copy -f flv "rtmp://live.example.com/live/livestream?secret=s3cret"'],
  [
    'ffmpegSrt',
    "ffmpeg -re -i ./sample.mp4 -c copy -pes_payload_size 0 -f mpegts 'srt://live.example.com:10080?streamid=#!::r=live/livestream?secret=s3cret,m=publish'",
  ],
  [
    'ffplayWindows',
    'ffplay -fflags nobuffer -flags low_delay -i "srt://live.example.com:10080?streamid=#!::r=live/livestream,latency=20,m=request"',
  ],
  [
    'ffplayUnix',
    "ffplay -fflags nobuffer -flags low_delay -i 'srt://live.example.com:10080?streamid=#!::r=live/livestream,latency=20,m=request'",
  ],
  ['flvSkinPlayer', '/tools/xgplayer.html?url=http://live.example.com:2022/live/livestream.flv'],
  ['hlsSkinPlayer', '/tools/xgplayer.html?url=http://live.example.com:2022/live/livestream.m3u8'],
  ['flvShortcode', '[srs_player url="http://live.example.com:2022/live/livestream.flv"]'],
  ['hlsShortcode', '[srs_player url="http://live.example.com:2022/live/livestream.m3u8"]'],
  ['rtcShortcode', '[srs_player url="webrtc://live.example.com:2022/live/livestream"]'],
  ['publisherShortcode', '[srs_publisher url="webrtc://live.example.com:2022/live/livestream?secret=s3cret"]'],
] as const)('%s', (name, value) => {
  expect(values[name]).toBe(value);
});

it('never includes the secret in viewer addresses', () => {
  const { rtmpPublishUrl, ffmpegRtmp, ffmpegRtmpTest, ffmpegSrt, ffmpegSrtTest, publisherShortcode, ...viewers } =
    values;
  for (const own of [rtmpPublishUrl, ffmpegRtmp, ffmpegRtmpTest, ffmpegSrt, ffmpegSrtTest, publisherShortcode]) {
    expect(own).toContain('s3cret');
  }
  expect(JSON.stringify(viewers)).not.toContain('s3cret');
});
