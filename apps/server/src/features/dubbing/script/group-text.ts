import type { GroupRow } from './rows.ts';

/** What was said in the film. */
export function sourceText({ segments }: Pick<GroupRow, 'segments'>): string {
  return joinTexts(segments.map(({ text }) => text));
}

/** With a space between what has words, and none between signs of languages that write without. */
export function joinTexts(texts: readonly string[]): string {
  return texts
    .map((text) => text.trim())
    .filter((text) => text !== '')
    .reduce((before, text) => before + (isDense(before.at(-1)) && isDense(text.at(0)) ? '' : ' ') + text, '')
    .trim();
}

function isDense(sign: string | undefined): boolean {
  return sign !== undefined && /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}、。，！？]/u.test(sign);
}

/** Whether what stands there is a translation of what is said now. */
export function isTranslated(group: GroupRow): boolean {
  return group.translated !== '' && group.translatedOf === sourceText(group);
}

/** What is to be said where nothing has to be shortened; empty: that is not known yet. Without translation it is what was said. */
export function fullText(group: GroupRow, isTranslating: boolean): string {
  return group.translated !== '' || isTranslating ? group.translated : sourceText(group);
}

/** What the voice has to say. */
export function spokenText(group: GroupRow, isTranslating: boolean): string {
  const full = fullText(group, isTranslating);
  return full !== '' && group.rephrased !== '' && group.rephrasedOf === full ? group.rephrased : full;
}

/** A letter of a script that writes whole syllables takes as long as three others. */
export function speakingUnits(text: string): number {
  const dense = text.match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu)?.length ?? 0;
  return text.length + dense * 2;
}
