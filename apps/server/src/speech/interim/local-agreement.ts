import { endsWithoutSpace } from '../cue-lines.ts';

/** Punctuation that recognisers append to the last word, whether the sentence is over or not. */
const endMarks = /[\p{P}]+$/u;

/** The words of an utterance that is still spoken, once two looks at it agree on them, or they are old. What was agreed on stays as it is. */
export class LocalAgreement {
  #agreed: string[] = [];
  #before: readonly string[] = [];

  get words(): readonly string[] {
    return this.#agreed;
  }

  /** `words`: recognised text of all audio so far. The first `old` of them are too old to change. */
  push(words: readonly string[], old = 0): void {
    const common = Math.max(old, commonLength(this.#before, words));
    for (let at = alignedLength(this.#agreed, words); at < common; at++) {
      const word = words[at] ?? '';
      this.#agreed.push(at === words.length - 1 ? openWord(word) : word);
    }
    this.#before = words;
  }
}

/** The last one of a text, as it stands before another. */
function openWord(word: string): string {
  const bare = word.replace(endMarks, '') || word;
  return endsWithoutSpace(bare) ? bare : `${bare} `;
}

/** Length of the common prefix in words. */
function commonLength(some: readonly string[], others: readonly string[]): number {
  const most = Math.min(some.length, others.length);
  for (let at = 0; at < most; at++) if (plain(some[at]) !== plain(others[at])) return at;
  return most;
}

/** Number of `words` that correspond to `said`; words may be inserted, missing or changed. */
export function alignedLength(said: readonly string[], words: readonly string[]): number {
  // Edit distance of all of `said` to every beginning of `words`.
  let row = Array.from({ length: words.length + 1 }, (_, at) => at);
  for (const [line, word] of said.entries()) {
    const next = [line + 1];
    for (const [at, other] of words.entries()) {
      const isSame = plain(word) === plain(other);
      next.push(Math.min((row[at] ?? 0) + (isSame ? 0 : 1), (row[at + 1] ?? 0) + 1, (next[at] ?? 0) + 1));
    }
    row = next;
  }
  const least = Math.min(...row);
  const offset = (at: number) => Math.abs(at - said.length);
  return row.reduce((best, cost, at) => (cost === least && offset(at) < offset(best) ? at : best), row.indexOf(least));
}

/** Normal form for comparison: spelling changes with what follows. */
function plain(word = ''): string {
  const letters = word.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');
  return letters === '' ? word.trim() : letters;
}
