/** Implausible rates per second: words, and letters of languages without spaces. */
const mostWordsPerSecond = 7;
const mostLettersPerSecond = 45;
/** A text of some length of which so little differs is a loop of the recogniser. */
const leastDistinct = 0.35;
const wordsToJudge = 8;

/** Texts that recognisers produce for silence: a remark in brackets, notes, dots. */
const remark = /^[\s\p{P}\p{S}]*$|^\s*[[(*（【♪][^\])）】]*[\])*）】♪]?\s*$/u;

/** True if a text can hardly have been spoken in that time. */
export function isDoubtful(text: string, seconds: number): boolean {
  if (remark.test(text)) return true;
  const words = text.toLowerCase().match(/[\p{L}\p{N}']+/gu) ?? [];
  const letters = words.join('').length;
  const span = Math.max(0.5, seconds);
  if (words.length / span > mostWordsPerSecond || letters / span > mostLettersPerSecond) return true;
  return isLoop(words) || isLoop(words.length < wordsToJudge ? (text.match(/\p{Script=Han}/gu) ?? []) : []);
}

function isLoop(units: readonly string[]): boolean {
  return units.length >= wordsToJudge && new Set(units).size / units.length < leastDistinct;
}

/** Cleans a recogniser's answer: one line, without control characters. */
export function cleanText(text: string): string {
  return text
    .replace(/[\p{Cc}\p{Co}\p{Cs}\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, longestText);
}

/** Longest plausible text of one utterance. */
const longestText = 1000;
