import type { Source } from '@weir/contract';

/** File of a loop that plays at a position in media time, by the probed durations of all files. */
export function playingAt(sources: readonly Source[], mediaMs: number): Source | undefined {
  const lengths = sources.map(({ format }) => Math.max(0, Number(format.duration) || 0) * 1000);
  const total = lengths.reduce((sum, length) => sum + length, 0);
  if (total === 0) return sources[0];
  let position = mediaMs % total;
  return sources.find((_source, index) => {
    position -= lengths[index] ?? 0;
    return position < 0;
  });
}
