const mostTokensPerSecond = 9;
const leastDistinct = 0.35;
/** Fewer words than these may well repeat. */
const fewWords = 6;

/**
 * Whether somebody can have said this. On a language that it does not know a model makes up fluent texts, faster than anybody speaks, or
 * repeats itself without end.
 */
export function isPlausible(text: string, tokens: number, seconds: number): boolean {
  if (tokens > mostTokensPerSecond * Math.max(seconds, 1)) return false;
  const words = text.toLowerCase().match(/\p{Script=Han}|[\p{L}\p{N}']+/gu) ?? [];
  return words.length < fewWords || new Set(words).size / words.length >= leastDistinct;
}
