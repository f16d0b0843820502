import { existsSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { filesBelow, read, root } from './source.fixture.ts';

const web = 'apps/web/src';
const folders = readdirSync(join(root, web, 'features'));
const camel = (name: string) => name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
const descriptorPath = (folder: string) => `${web}/features/${folder}/${folder}-feature.ts`;

/** Texts of mechanisms in `components`, and of the shell, which belong to no single feature. */
const sharedTexts = ['ai', 'plat', 'segments', 'source'];

/** Names of the files that a descriptor lists as its texts. */
function textsOf(folder: string): string[] {
  const list = /\btexts: \[([^\]]*)\]/.exec(read(descriptorPath(folder)))?.[1] ?? '';
  return [...list.matchAll(/'([\w-]+)'/g)].map(([, name = '']) => name);
}

/** Text files of one language by name, with their folder. */
function textFiles(locale: 'en' | 'zh'): Map<string, string> {
  const files = filesBelow(`${web}/locales/${locale}`, ['.json']);
  return new Map(files.map((path) => [basename(path, '.json'), path]));
}

describe('the features of the console', () => {
  it('have a descriptor each, named for their folder', () => {
    expect(folders.length).toBeGreaterThan(20);
    const missing = folders.filter(
      (folder) =>
        !existsSync(join(root, descriptorPath(folder))) ||
        !read(descriptorPath(folder)).includes(`export const ${camel(folder)}Feature: Feature = {`),
    );
    expect(missing).toEqual([]);
  });

  it('are all in the list that tabs, routes, links and the palette are derived from', () => {
    const [, list = ''] = read(`${web}/app/features.ts`).split('readonly Feature[] = [');
    const listed = [...list.matchAll(/(\w+)Feature\b/g)].map(([, name]) => name);
    expect(listed.sort()).toEqual(folders.map(camel).sort());
  });

  it('name texts that exist in both languages', () => {
    for (const locale of ['en', 'zh'] as const) {
      const files = textFiles(locale);
      const unknown = folders.flatMap((folder) => textsOf(folder).filter((name) => !files.has(name)));
      expect([locale, unknown]).toEqual([locale, []]);
    }
    expect(folders.filter((folder) => textsOf(folder).length === 0)).toEqual([]);
  });

  it('name every text that is not shared', () => {
    const named = new Set(folders.flatMap(textsOf));
    const own = [...textFiles('en')].filter(([, path]) => /\/(scenario|settings)\//.test(path)).map(([name]) => name);
    expect(own.filter((name) => !named.has(name) && !sharedTexts.includes(name))).toEqual([]);
  });

  it('load their code on demand: a descriptor imports only queries, icons and helpers', () => {
    const eager = folders.flatMap((folder) =>
      [...read(descriptorPath(folder)).matchAll(/^import (?!type)[^;]*from '([^']+)';$/gm)]
        .map(([, from = '']) => from)
        .filter((from) => !/^\.\.\/\.\.\/(lib\/|components\/ui\/theme\/icons)|-query\.ts$|-queries\.ts$/.test(from))
        .map((from) => `${folder}: ${from}`),
    );
    expect(eager).toEqual([]);
  });
});
