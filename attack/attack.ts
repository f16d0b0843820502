import type { Target } from './target.ts';

/** Attack on a running product. Bounded in count and time, on loopback only. */
export interface Attack {
  /** The line of the list of attacks that it repeats. */
  readonly id: string;
  readonly title: string;
  /** Environment of the product under attack. */
  readonly env?: Record<string, string>;
  /** Allowed peak growth of the engine or the server. */
  readonly growthMb: number;
  /** Attacks, and tells in a few words what was seen. Throws `Broken` when something gave way. */
  run(target: Target): Promise<string>;
}

/** Failure that an attack caused, in words. */
class Broken extends Error {}

/** Goes on when the claim holds; otherwise the attack has succeeded. */
export function holds(claim: boolean, complaint: string): asserts claim {
  if (!claim) throw new Broken(complaint);
}
