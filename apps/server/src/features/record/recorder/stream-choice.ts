import { Glob, globPath } from '@weir/contract';
import type { FinishedSegment } from '@weir/dialect';

const mostChoices = 2000;

/**
 * Matches streams against the patterns. Results are cached while the patterns stay the same, because every segment
 * asks.
 */
export class StreamChoice {
  #answers = new Map<string, boolean>();
  #globs: readonly string[] | undefined;

  /** Without a pattern, all are chosen. */
  has(globs: readonly string[], segment: FinishedSegment): boolean {
    if (globs.length === 0) return true;
    if (this.#globs !== globs || this.#answers.size >= mostChoices) this.#answers = new Map();
    this.#globs = globs;
    const path = globPath(segment);
    const known = this.#answers.get(path);
    if (known !== undefined) return known;
    const isChosen = globs.some((pattern) => {
      const glob = Glob.parse(pattern);
      return typeof glob !== 'string' && glob.matches(path);
    });
    this.#answers.set(path, isChosen);
    return isChosen;
  }
}
