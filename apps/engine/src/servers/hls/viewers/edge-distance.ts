import type { HlsStream } from '../../../packagers/hls/hls-stream.ts';

const segmentName = /-(\d{1,15})-\d{1,15}\.ts(?:\?|$)/;
const partName = /\.ll-(\d{1,15})(?:-(\d{1,6}))?\.m4s(?:\?|$)/;
/** Players keep three target durations in reserve (RFC 8216, 6.3.3) and may fetch the oldest of them last. */
const reserveTargets = 2;

/**
 * Distance of the requested piece from the newest one, on the clock of the stream. For a player that does not wait for
 * parts its allowed reserve is subtracted. Undefined if the piece is not of this stream.
 */
export function distanceMs({ packager, lowShelf }: HlsStream, url: string, isBlocking: boolean): number | undefined {
  const part = partName.exec(url);
  if (part) {
    const times = lowShelf?.timesOf(Number(part[1]), part[2] === undefined ? undefined : Number(part[2]));
    if (!lowShelf || !times) return undefined;
    return behind(lowShelf.endMs - times.endMs, isBlocking ? 0 : reserveTargets * lowShelf.targetDurationMs);
  }
  const segment = segmentName.exec(url);
  const times = segment ? packager.timesOf(Number(segment[1])) : undefined;
  return times && behind(packager.endMs - times.endMs, reserveTargets * packager.targetDurationMs);
}

function behind(distance: number, reserveMs: number): number {
  return Math.max(0, distance - reserveMs);
}
