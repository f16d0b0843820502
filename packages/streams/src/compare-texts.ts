/** The order of names, ids and times in ISO form, the same on every machine and in every language. */
export function compareTexts(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
