const firstMs = 200;
const longestMs = 10_000;

/**
 * How long to wait before the nth restart in a row (from 1). Doubles up to a limit; jitter keeps two planes that fail
 * together from starting together.
 */
export function restartDelayMs(attempt: number, random: () => number = Math.random): number {
  const full = Math.min(longestMs, firstMs * 2 ** (attempt - 1));
  return Math.round(full * (0.5 + random() / 2));
}
