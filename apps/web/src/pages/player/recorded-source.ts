import type { RecordedSource } from '../../components/player/recorded-player.tsx';
import type { PlayerSource } from '../../components/player/session/player-source.ts';

/** A file, or a playlist of our own recordings: it has a beginning and an end, and one wants to seek in it. */
export function toRecordedSource({ kind, url }: PlayerSource): RecordedSource | undefined {
  if (kind === 'file') return { kind, url };
  const isRecording = kind === 'hls' && new URL(url).pathname.includes('/hooks/record/hls/');
  return isRecording ? { kind, url } : undefined;
}
