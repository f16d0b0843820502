import { expect, it } from 'vitest';
import { cameraArgs } from './camera-args.ts';

const from = { kind: 'live', url: 'rtsp://ann:p@ss@10.0.0.5:554/stream1' } as const;
const to = 'rtmp://to.test/live/key';
const track = { codec_type: 'audio', profile: '', bit_rate: '', start_time: '', duration: '' };
const sound = (codec_name: string) => ({
  ...track,
  codec_name,
  sample_fmt: '',
  sample_rate: '8000',
  channel_layout: 'mono',
  channels: 1,
});
const args = (audio: Parameters<typeof cameraArgs>[0]['audio'], extraAudio: '' | 'silent' = '') =>
  cameraArgs({ from, to, audio, extraAudio }).join(' ');

it('reads a camera with low latency, by TCP, and escapes its password', () => {
  // nobuffer would discard the data read while probing, and with it the first keyframe.
  expect(args(sound('aac'))).not.toContain('nobuffer');
  expect(args(sound('aac'))).toContain('-rtsp_transport tcp');
  expect(args(sound('aac'))).toContain('-i rtsp://ann:p%40ss@10.0.0.5:554/stream1 -c copy -f flv');
});

it('copies video without audio', () => {
  expect(args(null)).not.toContain('-c:a');
});

it('encodes G.711 audio again and copies the video', () => {
  expect(args(sound('pcm_mulaw'))).toContain('-c copy -c:a aac');
});

it('replaces any audio with silence, which ends with the video', () => {
  for (const audio of [null, sound('aac'), sound('pcm_mulaw')]) {
    expect(args(audio, 'silent')).toContain('anullsrc');
    expect(args(audio, 'silent')).toContain('-map 0:v -map 1:a -c:v copy -c:a aac');
    expect(args(audio, 'silent')).toContain('-shortest');
  }
});
