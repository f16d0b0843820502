export interface PaletteEntry {
  readonly id: string;
  readonly title: string;
  /** Translated category: page, stream or action. */
  readonly kind: string;
  /** Extra search terms, such as the English name of a tab. */
  readonly words?: string;
  readonly run: () => void;
}

const mostShown = 50;

/**
 * Finds entries that contain every word of the query. Titles that start with the query come first, then titles with a word that does.
 * Chinese has no spaces between words, so any part of a title matches.
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

/** Lower ranks are better; undefined means no match. */
function rankEntry({ title, kind, words = '' }: PaletteEntry, wanted: readonly string[]): number | undefined {
  const name = foldText(title);
  const all = `${name} ${foldText(kind)} ${foldText(words)}`;
  if (!wanted.every((word) => all.includes(word))) return undefined;
  const [first = ''] = wanted;
  if (name.startsWith(first)) return 0;
  if (name.split(/[\s/:·-]+/).some((part) => part.startsWith(first))) return 1;
  return name.includes(first) ? 2 : 3;
}

/** Makes full-width letters, accents and capitals compare equal. */
function foldText(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{Mn}/gu, '')
    .toLowerCase();
}
