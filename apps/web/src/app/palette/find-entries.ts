/** Something that can be reached by its name. */
export interface PaletteEntry {
  readonly id: string;
  readonly title: string;
  /** What it is: a page, a stream, an action. */
  readonly kind: string;
  /** Other words that find it, such as the English name of a tab. */
  readonly words?: string;
  readonly run: () => void;
}

const mostShown = 50;

/**
 * Entries that have every word of the query somewhere in them, the best first: those whose title begins with it, then those with a word
 * that does. Chinese has no gaps between words, so any part of a title counts.
 */
export function findEntries(entries: readonly PaletteEntry[], query: string): PaletteEntry[] {
  const wanted = foldText(query)
    .split(/\s+/)
    .filter((word) => word !== '');
  return entries
    .map((entry) => ({ entry, rank: rankEntry(entry, wanted) }))
    .filter(({ rank }) => rank !== undefined)
    .sort((a, b) => (a.rank ?? 0) - (b.rank ?? 0))
    .slice(0, mostShown)
    .map(({ entry }) => entry);
}

/** Lower is better; undefined: it is not meant. */
function rankEntry({ title, kind, words = '' }: PaletteEntry, wanted: readonly string[]): number | undefined {
  const name = foldText(title);
  const all = `${name} ${foldText(kind)} ${foldText(words)}`;
  if (!wanted.every((word) => all.includes(word))) return undefined;
  const [first = ''] = wanted;
  if (name.startsWith(first)) return 0;
  if (name.split(/[\s/:·-]+/).some((part) => part.startsWith(first))) return 1;
  return name.includes(first) ? 2 : 3;
}

/** Full-width letters, accents and capitals are the same to whoever types. */
function foldText(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{Mn}/gu, '')
    .toLowerCase();
}
