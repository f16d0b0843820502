const cjkEnd = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}，。！？；：、）」』”]$/u;

/** What stands between one text and the next. */
export function gapAfter(text: string): string {
  return cjkEnd.test(text) ? '' : ' ';
}

/** Texts that were said one after the other. */
export function joined(one: string, other: string): string {
  return one === '' || other === '' ? one + other : `${one}${gapAfter(one)}${other}`;
}
