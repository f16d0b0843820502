import type { Recording } from '@weir/contract';

/**
 * Size of what was recorded, the same in every place: the file once there is one, else its segments. On the disk both exist for a while
 * after the end, which would look as if the recording had doubled.
 */
export function recordedBytes({ mp4Bytes, size }: Pick<Recording, 'mp4Bytes' | 'size'>): number {
  return mp4Bytes > 0 ? mp4Bytes : size;
}
