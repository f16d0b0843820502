const dense = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u3000-\u303f\uff00-\uff65]/u;
/** Quotation marks belong to the letters beside them. */
const quote = /[“”‘’…—]/u;

/** With a space between what has words, and none between signs of languages that write without. */
export function joinTexts(texts: readonly string[]): string {
  return texts
    .map((text) => text.trim())
    .filter((text) => text !== '')
    .reduce((before, text) => before + (isSolid(before.at(-1), text.at(0)) ? '' : ' ') + text, '')
    .trim();
}

/** The lines of a cue as one. */
export function joinLines(text: string): string {
  return joinTexts(text.split('\n'));
}

function isSolid(one = '', other = ''): boolean {
  if (!dense.test(one) && !dense.test(other)) return false;
  return [one, other].every((sign) => dense.test(sign) || quote.test(sign));
}
