interface PollFacts {
  /** How long nobody could see the page; 0: it is seen. */
  readonly hiddenMs: number;
  /** Since something was said here, by anybody. */
  readonly quietMs: number;
  /** Since the server answered last. */
  readonly silentMs: number;
  readonly failures: number;
  readonly retryAfterSeconds: number | undefined;
  readonly isPending: boolean;
}

const minute = 60_000;
const longestMs = 10_000;

export type PollPause = 'hidden' | 'quiet' | 'silent';

/** How long to wait before asking for messages again, or why not to: no page asks for ever. */
export function pollDelay(facts: PollFacts): number | PollPause {
  const { hiddenMs, quietMs, silentMs, failures, retryAfterSeconds, isPending } = facts;
  if (hiddenMs >= 10 * minute) return 'hidden';
  if (silentMs >= 15 * minute) return 'silent';
  if (quietMs >= 360 * minute) return 'quiet';
  if (failures > 0) return Math.min(longestMs, Math.max(1, retryAfterSeconds ?? 2 ** (failures - 1)) * 1000);
  // Somebody waits for the first words of an answer.
  if (isPending && quietMs < minute) return 300;
  return hiddenMs >= minute || quietMs >= 10 * minute ? 5000 : 1000;
}
