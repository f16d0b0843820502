import type { AccessRule } from '@weir/contract';
import { Glob, globPath, type WirePlace } from '@weir/streams';

interface StreamRule {
  /** Rule that names this stream exactly. */
  readonly own: AccessRule | undefined;
  /** First pattern that matches it. Decides unless it has its own. */
  readonly wider: AccessRule | undefined;
}

/** The rules that are for a stream. */
export function findStreamRule(rules: readonly AccessRule[], stream: Pick<WirePlace, 'app' | 'stream'>): StreamRule {
  const path = globPath(stream);
  const own = rules.find(({ pattern }) => pattern === path);
  const wider = rules.find(({ pattern }) => pattern !== path && matches(pattern, path));
  return { own, wider };
}

/** True for a pattern that may match several streams. */
export function isPattern(pattern: string): boolean {
  return /[*?[\]{}\\]/.test(pattern);
}

function matches(pattern: string, path: string): boolean {
  const glob = Glob.parse(pattern);
  return typeof glob !== 'string' && glob.matches(path);
}
