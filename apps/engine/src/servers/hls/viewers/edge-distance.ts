import type { HlsStream } from '../../../packagers/hls/hls-stream.ts';

const segmentName = /-(\d{1,15})-\d{1,15}\.ts(?:\?|$)/;
const partName = /\.ll-(\d{1,15})(?:-(\d{1,6}))?\.m4s(?:\?|$)/;
/** Players keep three target durations in reserve (RFC 8216, 6.3.3) and may fetch the oldest of them last. */
const reserveTargets = 2;

/**
 * Distance of the requested piece from the newest one, on the clock of the stream. For a player that does not wait for
 * parts its allowed reserve is subtracted. Undefined if the piece is not of this stream.
 */
export function distanceMs({ main, parts }: HlsStream, url: string, isBlocking: boolean): number | undefined {
  const part = partName.exec(url);
  if (part) {
    const times = parts?.timesOf(Number(part[1]), part[2] === undefined ? undefined : Number(part[2]));
    if (!parts || !times) return undefined;
    return behind(parts.endMs - times.endMs, isBlocking ? 0 : reserveTargets * parts.targetDurationMs);
  }
  const segment = segmentName.exec(url);
  const times = segment ? main.timesOf(Number(segment[1])) : undefined;
  return times && behind(main.endMs - times.endMs, reserveTargets * main.targetDurationMs);
}

function behind(distance: number, reserveMs: number): number {
  return Math.max(0, distance - reserveMs);
}
