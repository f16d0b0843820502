import { trackLanguage, trackLanguages } from '../../../speech/subtitles/track-language.ts';

const scripts = [
  ['ja', /[\p{Script=Hiragana}\p{Script=Katakana}]/u],
  ['ko', /\p{Script=Hangul}/u],
  ['zh', /\p{Script=Han}/u],
] as const;

/** The language of a translation, with three letters: by the signs it is written in, else by what the prompt asks for. */
export function spokenLanguage(text: string, prompt: string): string {
  const written = scripts.find(([, signs]) => signs.test(text))?.[0];
  return trackLanguage(written ?? namedLanguage(prompt));
}

/** The language that is named last: people write "from English into French". */
function namedLanguage(prompt: string): string {
  // Both are said: 英文 and 英语.
  const asked = prompt.replaceAll(/(?<=[英法德日韩俄])文/g, '语');
  const places = ['en', 'zh'].flatMap((locale) => {
    const names = new Intl.DisplayNames(locale, { type: 'language' });
    return trackLanguages.map((code) => ({ code, at: asked.lastIndexOf(names.of(code) ?? code) }));
  });
  const last = places.reduce((best, place) => (place.at > best.at ? place : best), { code: '', at: -1 });
  return last.code;
}
