/** Limit of one pattern and of a whole list. */
export const globCharacters = 65_536;

/** Pattern errors, each with a text in the console. */
export type GlobProblem = 'unclosed-class' | 'empty-class' | 'bad-range' | 'unclosed-brace' | 'dangling-escape';

/**
 * Step of a compiled pattern. `any` matches one character except `/`; `run` any number of those; `runs` any characters; `fork` continues at
 * several steps; `jump` at one; `done` is the end.
 */
type Step =
  | { readonly type: 'literal'; readonly character: string }
  | { readonly type: 'class'; readonly isNegated: boolean; readonly ranges: readonly (readonly [string, string])[] }
  | { readonly type: 'any' | 'run' | 'runs' | 'done' }
  | { readonly type: 'fork'; readonly to: number[] }
  | { readonly type: 'jump'; to: number };

interface OpenBrace {
  readonly fork: { readonly type: 'fork'; readonly to: number[] };
  readonly ends: { type: 'jump'; to: number }[];
}

/**
 * Glob over paths such as `/live/livestream`: `*` and `?` within a level, `**` across levels, `[a-c]`, `[^a]`, `{a,b}`, and `\` to escape.
 * Follows all possible steps at once without backtracking, so the time is at most pattern length times text length.
 */
export class Glob {
  readonly #steps: readonly Step[];

  private constructor(steps: readonly Step[]) {
    this.#steps = steps;
  }

  /** Compiles a pattern or returns its problem. */
  static parse(pattern: string): Glob | GlobProblem {
    const steps = compile([...pattern]);
    return typeof steps === 'string' ? steps : new Glob(steps);
  }

  matches(text: string): boolean {
    let now = new StepSet(this.#steps);
    let next = new StepSet(this.#steps);
    now.add(0);
    for (const character of text) {
      for (const index of now.members) {
        const step = this.#steps[index];
        if (!step || !matchesStep(step, character)) continue;
        next.add(step.type === 'run' || step.type === 'runs' ? index : index + 1);
      }
      if (next.members.length === 0) return false;
      [now, next] = [next, now];
      next.clear();
    }
    return now.members.some((index) => this.#steps[index]?.type === 'done');
  }
}

/** Last matching pattern; undefined if none. Invalid patterns match nothing. */
export function matchingGlob(patterns: readonly string[], path: string): string | undefined {
  return patterns.findLast((pattern) => {
    const glob = Glob.parse(pattern);
    return typeof glob !== 'string' && glob.matches(path);
  });
}

/** Path that patterns match; the vhost is not part of it. */
export function globPath({ app, stream }: { readonly app: string; readonly stream: string }): string {
  return `/${app}/${stream}`;
}

function matchesStep(step: Step, character: string): boolean {
  switch (step.type) {
    case 'literal':
      return step.character === character;
    case 'any':
    case 'run':
      return character !== '/';
    case 'runs':
      return true;
    case 'class':
      return (
        character !== '/' &&
        step.isNegated !==
          step.ranges.some(([low, high]) => codeOf(low) <= codeOf(character) && codeOf(character) <= codeOf(high))
      );
    default:
      return false;
  }
}

function codeOf(character: string): number {
  return character.codePointAt(0) ?? 0;
}

/** Steps that need no character are added with their predecessors, each once. */
class StepSet {
  members: number[] = [];
  readonly #steps: readonly Step[];
  readonly #marks: Uint8Array;
  #marked: number[] = [];

  constructor(steps: readonly Step[]) {
    this.#steps = steps;
    this.#marks = new Uint8Array(steps.length);
  }

  clear(): void {
    for (const index of this.#marked) this.#marks[index] = 0;
    this.#marked = [];
    this.members = [];
  }

  add(first: number): void {
    const todo = [first];
    for (let index = todo.pop(); index !== undefined; index = todo.pop()) {
      if (this.#marks[index] === 1) continue;
      this.#marks[index] = 1;
      this.#marked.push(index);
      const step = this.#steps[index];
      if (step?.type === 'fork') for (const to of step.to) todo.push(to);
      else if (step?.type === 'jump') todo.push(step.to);
      else this.members.push(index);
      // A run may be empty.
      if (step?.type === 'run' || step?.type === 'runs') todo.push(index + 1);
    }
  }
}

function compile(pattern: readonly string[]): Step[] | GlobProblem {
  const steps: Step[] = [];
  const open: OpenBrace[] = [];
  for (let at = 0; at < pattern.length; at++) {
    const character = pattern[at] ?? '';
    const brace = open.at(-1);
    if (character === '\\') {
      at++;
      const literal = pattern[at];
      if (literal === undefined) return 'dangling-escape';
      steps.push({ type: 'literal', character: literal });
    } else if (character === '*') {
      at = star(pattern, at, steps);
    } else if (character === '?') {
      steps.push({ type: 'any' });
    } else if (character === '[') {
      const read = readClass(pattern, at);
      if (typeof read === 'string') return read;
      steps.push(read.step);
      at = read.end;
    } else if (character === '{') {
      const fork = { type: 'fork' as const, to: [steps.length + 1] };
      steps.push(fork);
      open.push({ fork, ends: [] });
    } else if (brace && (character === ',' || character === '}')) {
      const end = { type: 'jump' as const, to: 0 };
      steps.push(end);
      brace.ends.push(end);
      if (character === ',') brace.fork.to.push(steps.length);
      else for (const jump of open.pop()?.ends ?? []) jump.to = steps.length;
    } else {
      steps.push({ type: 'literal', character });
    }
  }
  if (open.length > 0) return 'unclosed-brace';
  steps.push({ type: 'done' });
  return steps;
}

/** Compiles adjacent stars; a `**` level may match no level. Returns the index of the last star. */
function star(pattern: readonly string[], first: number, steps: Step[]): number {
  let last = first;
  while (pattern[last + 1] === '*') last++;
  if (last === first) {
    steps.push({ type: 'run' });
    return last;
  }
  const isLevel = (first === 0 || pattern[first - 1] === '/') && pattern[last + 1] === '/';
  if (!isLevel) {
    steps.push({ type: 'runs' });
    return last;
  }
  const here = steps.length;
  steps.push({ type: 'fork', to: [here + 1, here + 3] }, { type: 'runs' }, { type: 'literal', character: '/' });
  return last + 1;
}

/** `[a-c]`, `[^a]`; `]` must be escaped, as must a `-` that is no range. */
function readClass(pattern: readonly string[], start: number): { step: Step; end: number } | GlobProblem {
  let at = start + 1;
  const isNegated = pattern[at] === '^';
  if (isNegated) at++;
  const ranges: [string, string][] = [];
  const read = (): string | undefined => {
    if (pattern[at] === '\\') at++;
    const character = pattern[at];
    at++;
    return character;
  };
  while (pattern[at] !== ']') {
    const low = read();
    if (low === undefined) return 'unclosed-class';
    let high: string | undefined = low;
    if (pattern[at] === '-' && pattern[at + 1] !== ']') {
      at++;
      high = read();
    }
    if (high === undefined) return 'unclosed-class';
    if (codeOf(high) < codeOf(low)) return 'bad-range';
    ranges.push([low, high]);
  }
  return ranges.length === 0 ? 'empty-class' : { step: { type: 'class', isNegated, ranges }, end: at };
}
