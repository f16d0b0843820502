import { existsSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { Marked, type Token, type Tokens } from 'marked';
import type { Plugin } from 'vite';

const locales = ['en', 'zh'] as const;
type Locale = (typeof locales)[number];

const root = join(import.meta.dirname, '../../..');
const assets = join(import.meta.dirname, '../docs');

/** Page of the site: its name there and its sources below `docs`. Without a Chinese source, Chinese readers get the English page. */
interface DocsPage {
  readonly name: string;
  readonly en: string;
  readonly zh?: string;
}

interface DocsGroup {
  readonly title: Readonly<Record<Locale, string>>;
  readonly pages: readonly DocsPage[];
}

/** Sidebar of the site. Pages for developers are not part of it. */
const docsGroups = JSON.parse(readFileSync(join(root, 'docs/site.json'), 'utf8')) as readonly DocsGroup[];
export const docsPages: readonly DocsPage[] = docsGroups.flatMap(({ pages }) => pages);

const words = {
  en: {
    title: 'Weir documentation',
    search: 'Search',
    none: 'Nothing found',
    menu: 'Contents',
    theme: 'Switch between light and dark',
    other: '中文',
    here: 'On this page',
    back: 'Previous',
    next: 'Next',
    skip: 'Skip to content',
    english: '',
  },
  zh: {
    title: 'Weir 文档',
    search: '搜索',
    none: '没有找到',
    menu: '目录',
    theme: '切换浅色和深色',
    other: 'English',
    here: '本页内容',
    back: '上一页',
    next: '下一页',
    skip: '跳到正文',
    english: '英文',
  },
} as const;

interface Heading {
  readonly id: string;
  readonly text: string;
  readonly depth: number;
}

/** Part of a page that search finds: page, heading, anchor and text. */
interface Section {
  readonly page: string;
  readonly title: string;
  readonly heading: string;
  readonly anchor: string;
  readonly text: string;
}

interface Rendered {
  readonly title: string;
  readonly html: string;
  readonly headings: readonly Heading[];
  readonly sections: readonly Section[];
}

/** File of the site by its path below `docs/`. */
type SiteFiles = Map<string, string | Uint8Array>;

/** Writes the documentation for owners as static pages beside the console, with a search index for each language. */
export function docsSite(): Plugin {
  return {
    name: 'weir:docs-site',
    apply: 'build',
    applyToEnvironment: ({ name }) => name === 'client',
    generateBundle() {
      for (const [fileName, source] of buildDocsSite())
        this.emitFile({ type: 'asset', fileName: `docs/${fileName}`, source });
    },
  };
}

/** All files of the site. */
export function buildDocsSite(): SiteFiles {
  const files: SiteFiles = new Map();
  for (const locale of locales) {
    const pages = docsPages.filter((page) => page[locale] !== undefined);
    const index: Section[] = [];
    for (const page of pages) {
      const rendered = renderPage(page, locale, files);
      index.push(...rendered.sections);
      files.set(`${locale}/${page.name}.html`, frame(page, locale, rendered));
    }
    files.set(
      `${locale}/search.json`,
      JSON.stringify(index.map(({ page, title, heading, anchor, text }) => [page, title, heading, anchor, text])),
    );
  }
  files.set('docs.css', ['docs', 'search'].map((name) => readFileSync(join(assets, `${name}.css`), 'utf8')).join('\n'));
  for (const name of ['docs.js', 'theme.js']) files.set(name, readFileSync(join(assets, name), 'utf8'));
  return files;
}

function renderPage(page: DocsPage, locale: Locale, files: SiteFiles): Rendered {
  const source = page[locale] ?? page.en;
  const text = readFileSync(join(root, 'docs', source), 'utf8');
  const headings: Heading[] = [];
  const used = new Map<string, number>();
  const idOf = (heading: string) => {
    const id = slugOf(heading);
    const count = used.get(id) ?? 0;
    used.set(id, count + 1);
    return count === 0 ? id : `${id}-${count}`;
  };
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth }) {
        const plain = plainText(tokens);
        const id = idOf(plain);
        headings.push({ id, text: plain, depth });
        return `<h${depth} id="${escapeHtml(id)}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
      link({ href, tokens }) {
        const label = this.parser.parseInline(tokens);
        const target = linkTarget(href, source, locale);
        if (target === undefined) return label;
        const outside = /^https?:/.test(target) ? ' target="_blank" rel="noopener noreferrer"' : '';
        return `<a href="${escapeHtml(target)}"${outside}>${label}</a>`;
      },
      image({ href, text: alt }) {
        const path = posix.normalize(posix.join(posix.dirname(source), href));
        const file = join(root, 'docs', path);
        if (!path.startsWith('images/') || !existsSync(file)) return '';
        files.set(path, readFileSync(file));
        return `<img src="../${escapeHtml(path)}" alt="${escapeHtml(alt)}" loading="lazy">`;
      },
      table(token) {
        return `<div class="table">${tableHtml(token, (tokens) => this.parser.parseInline(tokens))}</div>\n`;
      },
      // Placeholders such as <NAME> are text.
      html: ({ text: raw }) => escapeHtml(raw),
    },
  });
  const tokens = marked.lexer(text);
  const html = marked.parser(tokens);
  const title = headings.find(({ depth }) => depth === 1)?.text ?? page.name;
  return { title, html, headings, sections: sectionsOf(tokens, { page: page.name, title, headings }) };
}

function tableHtml({ header, rows }: Tokens.Table, inline: (tokens: Token[]) => string): string {
  const cells = (row: readonly Tokens.TableCell[], tag: string) =>
    row.map((cell) => `<${tag}>${inline(cell.tokens)}</${tag}>`).join('');
  const hasHead = header.some(({ text }) => text !== '');
  const head = hasHead ? `<thead><tr>${cells(header, 'th')}</tr></thead>` : '';
  return `<table>${head}<tbody>${rows.map((row) => `<tr>${cells(row, 'td')}</tr>`).join('')}</tbody></table>`;
}

/** Address within the site; undefined for files of the repository that are not part of it. */
function linkTarget(href: string, source: string, locale: Locale): string | undefined {
  if (/^https?:/.test(href)) return href;
  if (href.startsWith('#')) return href;
  const [path = '', anchor = ''] = href.split('#');
  const wanted = posix.normalize(posix.join(posix.dirname(source), path));
  const page = docsPages.find(({ en, zh }) => en === wanted || zh === wanted);
  if (!page) return undefined;
  const own = page[locale] === undefined ? '../en/' : '';
  // Anchors are headings of the source that was named; a translation has others.
  const isSame = page[locale] === wanted || own !== '';
  return `${own}${page.name}.html${anchor !== '' && isSame ? `#${anchor}` : ''}`;
}

/** As GitHub derives anchors from headings, so that links work in both places. */
function slugOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s/g, '-');
}

function sectionsOf(
  tokens: readonly Token[],
  { page, title, headings }: { page: string; title: string; headings: readonly Heading[] },
): Section[] {
  const sections: { heading: string; anchor: string; text: string[] }[] = [];
  let seen = 0;
  for (const token of tokens) {
    if (token.type === 'heading') {
      const { text = '', id = '' } = headings[seen] ?? {};
      seen += 1;
      sections.push({ heading: seen === 1 ? '' : text, anchor: seen === 1 ? '' : id, text: [] });
    } else sections.at(-1)?.text.push(plainText([token]));
  }
  return sections.map(({ heading, anchor, text }) => ({
    page,
    title,
    heading,
    anchor,
    text: text.join(' ').replaceAll(/\s+/g, ' ').trim(),
  }));
}

/** Words of tokens without their markup. */
function plainText(tokens: readonly Token[]): string {
  return tokens
    .map((token) => {
      if (token.type === 'table') {
        const { header, rows } = token as Tokens.Table;
        return [header, ...rows].map((row) => row.map((cell) => plainText(cell.tokens)).join(' ')).join(' ');
      }
      if (token.type === 'list') return (token as Tokens.List).items.map((item) => plainText(item.tokens)).join(' ');
      if ('tokens' in token && token.tokens) return plainText(token.tokens);
      return 'text' in token ? unescapeHtml(String(token.text)) : ' ';
    })
    .join('');
}

function frame(page: DocsPage, locale: Locale, { title, html, headings }: Rendered): string {
  const text = words[locale];
  const other: Locale = locale === 'en' ? 'zh' : 'en';
  const otherPage = page[other] === undefined ? 'start' : page.name;
  const listed = docsPages.filter((each) => each[locale] !== undefined);
  const at = listed.indexOf(page);
  const step = (to: DocsPage | undefined, label: string, way: string) =>
    to
      ? `<a class="${way}" href="${to.name}.html"><span>${label}</span>${escapeHtml(titleOf(to, locale))}</a>`
      : '<span></span>';
  const toc = headings.filter(({ depth }) => depth === 2);
  return `<!doctype html>
<html lang="${locale}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)} · ${text.title}</title>
<link rel="icon" href="../../mgmt/favicon.svg" type="image/svg+xml">
<link rel="stylesheet" href="../docs.css">
<script src="../theme.js"></script>
<script src="../docs.js" type="module"></script>
</head>
<body data-none="${text.none}">
<a class="skip" href="#content">${text.skip}</a>
<header class="bar">
<a class="brand" href="start.html">${text.title}</a>
<div class="find" role="search">
<input id="search" type="search" placeholder="${text.search}" aria-label="${text.search}" autocomplete="off" spellcheck="false" role="combobox" aria-expanded="false" aria-controls="found">
<ul id="found" role="listbox" aria-label="${text.search}" hidden></ul>
</div>
<a class="language" href="../${other}/${otherPage}.html" lang="${other}" hreflang="${other}">${text.other}</a>
<button id="theme" type="button" aria-label="${text.theme}" title="${text.theme}"><span aria-hidden="true">◐</span></button>
</header>
<div class="page">
<details class="menu"><summary>${text.menu}</summary>${navigation(page, locale)}</details>
<main id="content">
<article>${html}</article>
<nav class="steps" aria-label="${text.next}">${step(listed[at - 1], text.back, 'back')}${step(listed[at + 1], text.next, 'next')}</nav>
</main>
${toc.length > 1 ? `<nav class="toc" aria-label="${text.here}"><p>${text.here}</p><ul>${toc.map(({ id, text: heading }) => `<li><a href="#${escapeHtml(id)}">${escapeHtml(heading)}</a></li>`).join('')}</ul></nav>` : ''}
</div>
</body>
</html>
`;
}

function navigation(page: DocsPage, locale: Locale): string {
  const groups = docsGroups.map(({ title, pages }) => {
    const items = pages.map((each) => {
      const isOwn = each[locale] !== undefined;
      const here = each === page ? ' aria-current="page"' : '';
      const mark = isOwn ? '' : ` <small>${words[locale].english}</small>`;
      return `<li><a href="${isOwn ? '' : '../en/'}${each.name}.html"${here}>${escapeHtml(titleOf(each, locale))}${mark}</a></li>`;
    });
    return `<p>${title[locale]}</p><ul>${items.join('')}</ul>`;
  });
  return `<nav aria-label="${words[locale].menu}">${groups.join('')}</nav>`;
}

const titles = new Map<string, string>();

function titleOf(page: DocsPage, locale: Locale): string {
  const source = page[locale] ?? page.en;
  const known =
    titles.get(source) ?? /^# (.+)$/m.exec(readFileSync(join(root, 'docs', source), 'utf8'))?.[1] ?? page.name;
  titles.set(source, known);
  return known;
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

function unescapeHtml(text: string): string {
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');
}
