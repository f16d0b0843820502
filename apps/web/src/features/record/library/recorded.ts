import type { Recording } from '@weir/contract';
import { streamLabel } from '@weir/streams';

/**
 * Size of what was recorded, the same in every place: the file once there is one, else its segments. On the disk both exist for a while
 * after the end, which would look as if the recording had doubled.
 */
export function recordedBytes({ mp4Bytes, size }: Pick<Recording, 'mp4Bytes' | 'size'>): number {
  return mp4Bytes > 0 ? mp4Bytes : size;
}

/** Length in every place. While a recording runs, the time since its beginning: its segments are counted as they finish. */
export function recordedSeconds(
  { state, startedAt, duration }: Pick<Recording, 'state' | 'startedAt' | 'duration'>,
  nowMs: number,
): number {
  return state === 'recording' ? Math.max(duration, (nowMs - Date.parse(startedAt)) / 1000) : duration;
}

/** Name of a recording: its stream, and the quality where it is not the stream as published. */
export function recordingLabel(recording: Pick<Recording, 'vhost' | 'app' | 'stream' | 'quality'>): string {
  const { quality } = recording;
  return quality === '' ? streamLabel(recording) : `${streamLabel(recording)} · ${quality}`;
}
