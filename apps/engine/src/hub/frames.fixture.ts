import type { AudioConfig, MediaFrame, VideoConfig } from '@weir/media';
import { defaultVhost } from '@weir/streams';
import type { ClientInfo } from './clients/client-info.ts';
import { type ClientEntry, Clients } from './clients/clients.ts';

export const place = { vhost: defaultVhost, app: 'live', name: 'one' };

export const videoConfig: VideoConfig = {
  kind: 'video',
  codec: 'h264',
  record: Buffer.from('avcC'),
  width: 640,
  height: 360,
  profile: 'High',
  level: '3.1',
  fps: 25,
};
export const audioConfig: AudioConfig = {
  kind: 'audio',
  codec: 'aac',
  record: Buffer.from('asc'),
  sampleRate: 44_100,
  channels: 2,
  profile: 'LC',
};

export const picture = (ms: number, isKeyframe = false, bytes = 10): MediaFrame => ({
  kind: 'video',
  codec: 'h264',
  dtsMs: ms,
  ptsMs: ms,
  isKeyframe,
  payload: Buffer.alloc(bytes, isKeyframe ? 'K' : 'p'),
});

export const sound = (ms: number, bytes = 4): MediaFrame => ({
  kind: 'audio',
  codec: 'aac',
  dtsMs: ms,
  ptsMs: ms,
  isKeyframe: true,
  payload: Buffer.alloc(bytes, 'a'),
});

export function client(
  kind: ClientInfo['kind'] = 'rtmp-publish',
  kick: (reason: string) => void = () => {},
): ClientEntry {
  const info = { id: Clients.newId(), kind, address: '127.0.0.1', place, param: '', tcUrl: '', pageUrl: '' };
  return Clients.entry({ ...info, connectedAt: new Date() }, kick);
}
