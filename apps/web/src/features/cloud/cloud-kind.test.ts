import type { CloudRecording, CloudVideo } from '@weir/contract';
import { describe, expect, it } from 'vitest';
import { initialItem, previewUrl, recordingUrl, videoUrl } from './cloud-kind.ts';

const on = { all: true };
const off = { all: false };

describe('the cloud item opened at first', () => {
  it.each([
    ['the switch, while the other one is on', off, on, true, '2'],
    ['the account, while it is not ready', on, off, false, '1'],
    ['the list, while it is on', on, off, true, '3'],
    ['the switch otherwise', off, off, true, '2'],
  ] as const)('is %s', (_name, own, other, isReady, item) => expect(initialItem(own, other, isReady)).toBe(item));
});

describe('cloud URLs', () => {
  const facts = {
    uuid: 'u1',
    vhost: '',
    app: '',
    stream: '',
    update: '',
    nn: 0,
    duration: 0,
    size: 0,
    waiting: 0,
    lost: 0,
  };
  const recording: CloudRecording = { ...facts, progress: true, bucket: 'b-1', region: 'ap-beijing' };
  const video: CloudVideo = { ...facts, progress: true, file: '', media: '', task: null };

  it('point to this server during a recording, and to the cloud afterwards', () => {
    expect(recordingUrl(recording, 'http://here')).toBe('http://here/terraform/v1/hooks/dvr/hls/u1.m3u8');
    expect(recordingUrl({ ...recording, progress: false }, 'http://here')).toBe(
      'https://b-1.cos.ap-beijing.myqcloud.com/u1/index.m3u8',
    );
    expect(videoUrl(video, 'http://here')).toBe('http://here/terraform/v1/hooks/vod/hls/u1.m3u8');
    expect(videoUrl({ ...video, progress: false, media: 'http://cdn/f0.m3u8' }, 'http://here')).toBe(
      'http://cdn/f0.m3u8',
    );
  });

  it('are encoded for the player', () =>
    expect(previewUrl('http://a/?b=1&c')).toBe('/tools/player.html?url=http%3A%2F%2Fa%2F%3Fb%3D1%26c'));
});
