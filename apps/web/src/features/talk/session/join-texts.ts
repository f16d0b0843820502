const cjkEnd = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}，。！？；：、）」』”]$/u;

/** What stands between one text and the next. */
export function separatorAfter(text: string): string {
  return cjkEnd.test(text) ? '' : ' ';
}

/** Texts that were said one after the other. */
export function joinTexts(one: string, other: string): string {
  return one === '' || other === '' ? one + other : `${one}${separatorAfter(one)}${other}`;
}
