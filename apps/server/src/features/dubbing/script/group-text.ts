import { joinTexts } from '../../../speech/join-texts.ts';
import type { GroupRow } from './rows.ts';

/** Original text of the group. */
export function sourceText({ segments }: Pick<GroupRow, 'segments'>): string {
  return joinTexts(segments.map(({ text }) => text));
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
