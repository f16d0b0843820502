const firstMs = 200;
/** As long as a plane fails seldom, its return is what counts: the console is back within five seconds, its own start included. */
const soonMs = 1000;
const soonAttempts = 8;
const longestMs = 10_000;

/**
 * How long to wait before the nth restart in a row (from 1). Doubles up to a limit, which is a higher one for a plane that fails again and
 * again; jitter keeps two planes that fail together from starting together.
 */
export function restartDelayMs(attempt: number, random: () => number = Math.random): number {
  const full =
    attempt <= soonAttempts
      ? Math.min(soonMs, firstMs * 2 ** (attempt - 1))
      : Math.min(longestMs, soonMs * 2 ** (attempt - soonAttempts));
  return Math.round(full * (0.5 + random() / 2));
}
