import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { variables } from '@weir/plane/config';
import { describe, expect, it } from 'vitest';
import { buildDocsSite, docsPages } from '../../apps/web/build/docs-site.ts';
import { docsAddressOf } from '../../apps/web/src/lib/docs-address.ts';
import { filesBelow, read, root } from './source.fixture.ts';

const site = buildDocsSite();
const pages = [...site]
  .filter(([path]) => path.endsWith('.html'))
  .map(([path, html]) => ({ path, html: String(html) }));
const textOf = (path: string) => String(site.get(path) ?? '');

describe('the documentation site', () => {
  it('has every page of a feature, and the owner pages in both languages', () => {
    const features = filesBelow('docs/features', ['.md']).map((path) => path.slice('docs/'.length));
    const missing = features.filter((path) => !docsPages.some(({ en }) => en === path));
    // Both are lists of what the site has in its sidebar, or short.
    expect(missing.sort()).toEqual(['features/README.md', 'features/others.md', 'features/tutorials.md']);
    const chinese = filesBelow('docs/zh', ['.md']).map((path) => path.slice('docs/'.length));
    expect(docsPages.flatMap(({ zh }) => zh ?? []).sort()).toEqual(chinese.sort());
    expect(pages.length).toBe(docsPages.length + chinese.length);
  });

  it('has no link to a page, heading, image or file that is not part of it', () => {
    const broken = pages.flatMap(({ path, html }) =>
      [...html.matchAll(/(?:href|src)="([^"]+)"/g)]
        .map(([, link = '']) => link)
        .filter((link) => !/^(https?:|\.\.\/\.\.\/mgmt\/)/.test(link))
        .filter((link) => {
          const url = new URL(link, `file:///${path}`);
          const target = url.pathname.slice(1);
          const id = decodeURIComponent(url.hash.slice(1));
          return !site.has(target) || (id !== '' && !textOf(target).includes(`id="${id}"`));
        })
        .map((link) => `${path}: ${link}`),
    );
    expect(broken).toEqual([]);
  });

  it('loads nothing from elsewhere, and has no script or style in its pages', () => {
    for (const { path, html } of pages) {
      expect([path, html.match(/<(script|link|img)[^>]*(src|href)="(https?:)?\/\//)]).toEqual([path, null]);
      expect([path, html.match(/<script(?![^>]*src=)|<style|style="| on\w+="/)]).toEqual([path, null]);
    }
  });

  it('finds words of every page in an index of its language', () => {
    for (const [locale, word, page] of [
      ['en', 'candidate', 'features-webrtc'],
      ['zh', '推流鉴权密钥', 'publishing'],
    ] as const) {
      const rows = JSON.parse(textOf(`${locale}/search.json`)) as string[][];
      const listed = new Set(rows.map(([name]) => name));
      const own = docsPages.filter((each) => each[locale] !== undefined).map(({ name }) => name);
      expect([...listed].sort()).toEqual([...own].sort());
      expect(rows.some(([name, ...texts]) => name === page && texts.join(' ').toLowerCase().includes(word))).toBe(true);
    }
  });

  it('is small', () => {
    const bytes = [...site.values()].reduce((sum, content) => sum + Buffer.byteLength(content), 0);
    expect(bytes).toBeLessThan(4 * 2 ** 20);
  });
});

/** Ids of the tabs that features of the console declare. */
const tabs = filesBelow('apps/web/src/features', ['-feature.ts']).flatMap((path) =>
  [...read(path).matchAll(/page: '(?:scenario|settings)',\s+id: '([\w-]+)'/g)].map(([, id = '']) => id),
);

it('leads every tab of the console to a page of the documentation that exists in that language', () => {
  expect(tabs.length).toBeGreaterThan(20);
  for (const locale of ['en', 'zh'] as const) {
    for (const id of tabs) {
      const address = docsAddressOf({ pathname: `/${locale}/routers-scenario`, search: `?tab=${id}` }, locale);
      const [, language = '', name = ''] = /^\/docs\/(\w+)\/(.+)\.html$/.exec(address) ?? [];
      const page = docsPages.find((each) => each.name === name);
      const source = language === 'zh' ? page?.zh : page?.en;
      expect([id, locale, source !== undefined && existsSync(join(root, 'docs', source))]).toEqual([id, locale, true]);
    }
  }
});

describe('the Chinese configuration page', () => {
  it('lists every environment variable with its default', () => {
    const page = read('docs/zh/configuration.md');
    const listed = [...page.matchAll(/^\| `([A-Z_]+)` \| (\S+) \|/gm)].map(([, name, shown]) => [name, shown]);
    const wanted = Object.entries(variables).map(([name, { fallback }]) => [
      name,
      fallback === '' ? '–' : `\`${fallback}\``,
    ]);
    expect(listed.sort()).toEqual(wanted.sort());
  });
});
