import type { ActiveStream } from '@weir/contract';

/** The server averages five seconds, and a publisher begins with a burst of what it has buffered. */
const settlesMs = 8000;

/** Incoming bitrate; undefined while the burst at the start of the publisher would be taken for it. */
export function settledBitrate({ media, update }: Pick<ActiveStream, 'media' | 'update'>, nowMs = Date.now()) {
  const ageMs = nowMs - Date.parse(update);
  // A browser whose clock is behind the server's sees streams of the future.
  const isYoung = ageMs >= 0 && ageMs < settlesMs;
  return !media || media.kbps <= 0 || isYoung ? undefined : media.kbps;
}
