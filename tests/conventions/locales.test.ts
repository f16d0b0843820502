import { describe, expect, it } from 'vitest';
import { filesBelow, read } from './source.fixture.ts';
import { bare, textsOf } from './texts.fixture.ts';

const locales = ['en', 'zh'] as const;
const [english, chinese] = [textsOf('en'), textsOf('zh')];
const code = filesBelow('apps/web/src', ['.ts', '.tsx']).filter((path) => !path.includes('.test.'));
const allCode = code.map(read).join('\n');

describe('the locales', () => {
  it('hold the same keys', () => {
    expect(english.size).toBeGreaterThan(50);
    const keys = (texts: Map<string, string>) => [...new Set([...texts.keys()].map(bare))].sort();
    expect(keys(chinese)).toEqual(keys(english));
  });

  it('are typed from every English file', () => {
    const typed = [...read('apps/web/src/locales/catalogue.ts').matchAll(/import\('\.\/(en\/[^']+)'\)/g)];
    const files = filesBelow('apps/web/src/locales/en', ['.json']);
    expect([...new Set(typed.map(([, path]) => `apps/web/src/locales/${path}`))].sort()).toEqual(files.sort());
  });

  it('have the same placeholders', () => {
    const values = (text: string) => [...text.matchAll(/\{\{\s*(\w+)[^}]*\}\}/g)].map(([, name]) => name).sort();
    for (const [key, text] of english) {
      const other = chinese.get(key) ?? chinese.get(`${bare(key)}_other`) ?? '';
      if (!key.endsWith('_one')) expect([key, values(other)]).toEqual([key, values(text)]);
    }
  });

  it('have placeholders with names that code can fill in', () => {
    for (const locale of locales) {
      for (const [key, text] of textsOf(locale)) {
        const names = [...text.matchAll(/\{\{(.*?)\}\}/g)].map(([, name = '']) => name);
        expect([key, names.filter((name) => !/^\w+$/.test(name))]).toEqual([key, []]);
      }
    }
  });

  it('have no empty text, and no Chinese in English', () => {
    for (const locale of locales) {
      for (const [key, text] of textsOf(locale)) expect([key, text.trim()]).not.toEqual([key, '']);
    }
    for (const [key, text] of english) expect([key, /\p{Script=Han}/u.test(text)]).toEqual([key, false]);
  });

  it('have no unused key: each is in the code, whole or by its beginning', () => {
    const found = (pattern: RegExp) => new Set([...allCode.matchAll(pattern)].map(([, text = '']) => text));
    const whole = new Set([...found(/'([\w.-]+)'/g), ...found(/"([\w.-]+)"/g)]);
    const beginnings = found(/`([\w.-]+)\.\$/g);
    // Features of one kind have texts of their own under the same keys.
    const ofKinds = found(/`\$\{kind\}\.([\w.-]+)`/g);
    const isUsed = (key: string) => {
      const parts = bare(key).split('.');
      return (
        whole.has(parts.join('.')) ||
        ofKinds.has(parts.slice(1).join('.')) ||
        parts.some((_, count) => beginnings.has(parts.slice(0, count).join('.')))
      );
    };
    expect([...english.keys()].filter((key) => !isUsed(key))).toEqual([]);
  });

  it('have every key that the code names', () => {
    const named = [...allCode.matchAll(/\bt\(\s*'([\w.]+)'/g)].map(([, key = '']) => key);
    const known = new Set([...english.keys()].map(bare));
    expect(named.length).toBeGreaterThan(20);
    expect(named.filter((key) => !known.has(key))).toEqual([]);
  });
});
