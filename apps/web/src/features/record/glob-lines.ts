import { Glob, type GlobProblem, matchingGlob } from '@weir/contract';

/** One pattern per line; blanks around it and empty lines mean nothing. */
export function globLines(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

/** The first pattern that is none, counted from 1. */
export function globProblem(lines: readonly string[]): { line: number; problem: GlobProblem } | undefined {
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

/** Tries an address against the patterns; its path counts, as it will be when somebody publishes there. */
export function testGlobs(url: string, lines: readonly string[]): GlobTest {
  if (url.trim() === '') return { kind: 'url-empty' };
  if (lines.length === 0) return { kind: 'globs-empty' };
  const glob = matchingGlob(lines, urlPath(url.trim()));
  return glob === undefined ? { kind: 'unmatched' } : { kind: 'matched', glob };
}

/** Browsers take apart only the addresses they know: http stands in for the others. A bare path is its own path. */
function urlPath(url: string): string {
  const known = url.replace(/^[a-z][a-z0-9+.-]*:\/\//i, 'http://');
  const path = URL.canParse(known) ? new URL(known).pathname : (url.split(/[?#]/)[0] ?? url);
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
