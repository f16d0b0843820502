import { basename } from 'node:path';
import { filesBelow, read } from './source.fixture.ts';

type Texts = { [key: string]: string | Texts };

/** Texts of the console in one language, by their full key. */
export function textsOf(locale: 'en' | 'zh'): Map<string, string> {
  const texts = new Map<string, string>();
  const collect = (prefix: string, value: Texts) => {
    for (const [key, text] of Object.entries(value)) {
      if (typeof text === 'string') texts.set(`${prefix}.${key}`, text);
      else collect(`${prefix}.${key}`, text);
    }
  };
  for (const file of filesBelow(`apps/web/src/locales/${locale}`, ['.json'])) {
    collect(basename(file, '.json'), JSON.parse(read(file)) as Texts);
  }
  return texts;
}

/** Plural forms differ between languages: `key_one` and `key_other` are one key. */
export const bare = (key: string) => key.replace(/_(zero|one|two|few|many|other)$/, '');
