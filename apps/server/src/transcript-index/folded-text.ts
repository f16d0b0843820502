/** Writing without spaces between words: each letter stands alone in the index, and a word is letters in a row. */
const alone =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}ー]/u;
const counts = /[\p{L}\p{N}]/u;
const mostTerms = 16;

/** A text as it is compared: small letters without accents, one space between words, and where each letter came from. */
interface Folded {
  readonly text: string;
  /** For each unit of `text`, where the sign it was made of begins and ends in the original. */
  readonly spans: readonly (readonly [from: number, to: number])[];
}

function fold(original: string): Folded {
  let text = '';
  const spans: (readonly [number, number])[] = [];
  let at = 0;
  const add = (letter: string, to: number) => {
    if (letter === ' ' && (text === '' || text.endsWith(' '))) return;
    text += letter;
    for (let unit = 0; unit < letter.length; unit++) spans.push([at, to]);
  };
  for (const sign of original) {
    const to = at + sign.length;
    // Accents that are signs of their own belong to the letter before them.
    const letters = /\p{M}/u.test(sign) ? '' : sign.normalize('NFKD').toLowerCase().replace(/\p{M}/gu, '');
    for (const letter of letters) {
      if (!counts.test(letter)) add(' ', to);
      else if (alone.test(letter)) {
        add(' ', to);
        add(letter, to);
        add(' ', to);
      } else add(letter, to);
    }
    at = to;
  }
  return { text, spans };
}

/** Indexed form of a text. */
export function foldedText(original: string): string {
  return fold(original).text.trim();
}

/** Part of a search that was typed without a space. */
interface Term {
  readonly phrase: string;
  /** Words of a phrase of a language without spaces; none if it is a single word. */
  readonly words: readonly string[];
}

const segmenter = new Intl.Segmenter('zh', { granularity: 'word' });
/** Words that say nothing about what is searched for. */
const particles = new Set('的 了 着 过 吗 呢 吧 啊 和 与 在 是 の は が を に で と も'.split(' '));

/** Other characters are dropped, so that none acts as an operator. */
function termsOf(query: string): Term[] {
  return query
    .split(/\s+/)
    .map((typed) => ({ phrase: foldedText(typed), words: wordsOf(typed) }))
    .filter(({ phrase }) => phrase !== '')
    .slice(0, mostTerms);
}

/** A single letter is rarely a word of its own, so it stays with the word beside it. Several in a row may be a word that the dictionary lacks. */
function wordsOf(typed: string): string[] {
  if (!alone.test(typed)) return [];
  const words: string[] = [];
  let letters: string[] = [];
  const endRun = () => {
    if (letters.length > 1 || words.length === 0) words.push(letters.join(' '));
    else if (letters.length === 1) words.push(`${words.pop()} ${letters[0]}`);
    letters = [];
  };
  for (const { segment } of segmenter.segment(typed.normalize('NFKC'))) {
    const word = foldedText(segment);
    if (word === '' || particles.has(word)) continue;
    if (word.length === 1 && alone.test(word)) letters.push(word);
    else if (letters.length === 1) {
      words.push(`${letters[0]} ${word}`);
      letters = [];
    } else {
      endRun();
      words.push(word);
    }
  }
  endRun();
  const found = words.filter((word) => word !== '');
  return found.length > 1 ? found.slice(0, mostTerms) : [];
}

/**
 * For FTS5: everything that was typed, in any order, each as the beginning of a word. Languages without spaces are also searched
 * for the single words of what was typed. Undefined: nothing was typed.
 */
export function toMatchExpression(query: string): string | undefined {
  const prefix = (text: string) => `"${text}"*`;
  const terms = termsOf(query).map(({ phrase, words }) =>
    words.length === 0 ? prefix(phrase) : `(${prefix(phrase)} OR (${words.map(prefix).join(' AND ')}))`,
  );
  return terms.length === 0 ? undefined : terms.join(' AND ');
}

/** Matches of a query in a text: `[from, to)` in UTF-16 units, in order. */
export function marksIn(original: string, query: string): [number, number][] {
  const { text, spans } = fold(original);
  const found: [number, number][] = [];
  for (const term of termsOf(query).flatMap(({ phrase, words }) => [phrase, ...words])) {
    for (let at = text.indexOf(term); at >= 0; at = text.indexOf(term, at + 1)) {
      const [first, last] = [spans[at], spans[at + term.length - 1]];
      if ((at === 0 || text[at - 1] === ' ') && first && last) found.push([first[0], last[1]]);
    }
  }
  found.sort((a, b) => a[0] - b[0]);
  const joined: [number, number][] = [];
  for (const [from, to] of found) {
    const last = joined.at(-1);
    if (last && from <= last[1]) last[1] = Math.max(last[1], to);
    else joined.push([from, to]);
  }
  return joined;
}
