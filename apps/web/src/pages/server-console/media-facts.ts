import { defaultVhost } from '@weir/streams';
import type { SrsStream } from './srs-responses.ts';

/** `H264 High 3.1 1280×720`. */
export function videoText({ video }: SrsStream): string {
  if (!video) return '–';
  const size = video.width && video.height ? `${video.width}×${video.height}` : undefined;
  return parts(video.codec, video.profile, video.level, size);
}

/** `AAC 44100 Hz 2 LC`. */
export function audioText({ audio }: SrsStream): string {
  if (!audio) return '–';
  const rate = audio.sample_rate === undefined ? undefined : `${audio.sample_rate} Hz`;
  const channels = audio.channel === undefined ? undefined : `${audio.channel} ch`;
  return parts(audio.codec, audio.profile, rate, channels);
}

function parts(...all: (string | number | undefined)[]): string {
  return all.filter((part) => part !== undefined && part !== '').join(' ') || '–';
}

/** Player page of this server for a stream. */
export function previewAddress(stream: SrsStream, page: URL, playerPort: string | undefined): string {
  const query = new URLSearchParams({ app: stream.app ?? 'live', stream: `${stream.name ?? ''}.flv` });
  const vhost = stream.vhostName;
  if (vhost !== undefined && vhost !== defaultVhost) query.set('vhost', vhost);
  if (playerPort !== undefined && playerPort !== page.port) query.set('port', playerPort);
  query.set('autostart', 'true');
  return `/players/srs_player.html?${query}`;
}
