import { Glob, type GlobProblem, matchingGlob } from '@weir/contract';

/** Splits lines into patterns; ignores surrounding blanks and empty lines. */
export function globLines(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

/** Finds the first invalid pattern; lines count from 1. */
export function findGlobProblem(lines: readonly string[]): { line: number; problem: GlobProblem } | undefined {
  for (const [index, line] of lines.entries()) {
    const parsed = Glob.parse(line);
    if (typeof parsed === 'string') return { line: index + 1, problem: parsed };
  }
  return undefined;
}

export type GlobTest =
  | { readonly kind: 'url-empty' | 'globs-empty' }
  | { readonly kind: 'matched'; glob: string }
  | { readonly kind: 'unmatched' };

/** Tests a URL against the patterns. Only its path counts, as for a publisher. */
export function testGlobs(url: string, lines: readonly string[]): GlobTest {
  if (url.trim() === '') return { kind: 'url-empty' };
  if (lines.length === 0) return { kind: 'globs-empty' };
  const glob = matchingGlob(lines, urlPath(url.trim()));
  return glob === undefined ? { kind: 'unmatched' } : { kind: 'matched', glob };
}

/** Browsers parse only known schemes, so http replaces the others. A bare path is returned as it is. */
function urlPath(url: string): string {
  const known = url.replace(/^[a-z][a-z0-9+.-]*:\/\//i, 'http://');
  const path = URL.canParse(known) ? new URL(known).pathname : (url.split(/[?#]/)[0] ?? url);
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
