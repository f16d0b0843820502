import { type PaletteEntry, paletteGroups } from '../../lib/feature.ts';

const mostShown = 50;

/**
 * Finds entries that contain every word of the query. Titles that start with the query come first, then titles with a word that does; equal
 * ones stay in the order of their groups. Chinese has no spaces between words, so any part of a title matches.
 */
export function findEntries(entries: readonly PaletteEntry[], query: string): PaletteEntry[] {
  const wanted = foldText(query)
    .split(/\s+/)
    .filter((word) => word !== '');
  return entries
    .map((entry) => ({ entry, rank: rankEntry(entry, wanted) }))
    .filter(({ rank }) => rank !== undefined)
    .sort((a, b) => (a.rank ?? 0) - (b.rank ?? 0) || groupOrder(a.entry) - groupOrder(b.entry))
    .slice(0, mostShown)
    .map(({ entry }) => entry);
}

const groupOrder = ({ group }: PaletteEntry) => paletteGroups.indexOf(group);

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
