const leastDistinct = 0.35;
/** Fewer words than these may well repeat. */
const fewWords = 6;

/** Whether somebody can have said this. On a language that it does not know a model may repeat itself without end. */
export function isVaried(text: string): boolean {
  const words = text.toLowerCase().match(/\p{Script=Han}|[\p{L}\p{N}']+/gu) ?? [];
  return words.length < fewWords || new Set(words).size / words.length >= leastDistinct;
}
