import type { GroupRow } from './rows.ts';

/** Original text of the group. */
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

/** True if the translation belongs to the current source text. */
export function isTranslated(group: GroupRow): boolean {
  return group.translated !== '' && group.translatedOf === sourceText(group);
}

/** Text before any shortening; empty while unknown. Without translation it is the original. */
export function fullText(group: GroupRow, isTranslating: boolean): string {
  return group.translated !== '' || isTranslating ? group.translated : sourceText(group);
}

/** Text for the voice. */
export function spokenText(group: GroupRow, isTranslating: boolean): string {
  const full = fullText(group, isTranslating);
  return full !== '' && group.rephrased !== '' && group.rephrasedOf === full ? group.rephrased : full;
}

/** A letter of a script that writes whole syllables takes as long as three others. */
export function speakingUnits(text: string): number {
  const dense = text.match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu)?.length ?? 0;
  return text.length + dense * 2;
}
