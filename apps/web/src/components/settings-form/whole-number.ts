/** Digits only: of `5000kb` or `1e9` nobody knows what was meant. */
export function isWholeNumber(text: string, most: number, least = 0): boolean {
  return /^\s*\d+\s*$/.test(text) && Number(text) <= most && Number(text) >= least;
}
