const cjkEnd = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}，。！？；：、）」』”]$/u;

/** CJK text needs no space before the next sentence. */
export function separatorAfter(text: string): string {
  return cjkEnd.test(text) ? '' : ' ';
}

export function joinTexts(one: string, other: string): string {
  return one === '' || other === '' ? one + other : `${one}${separatorAfter(one)}${other}`;
}
