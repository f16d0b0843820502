import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { variables } from '@weir/plane/config';
import { describe, expect, it } from 'vitest';
import { apiReference } from '../../scripts/api-reference.ts';
import { filesBelow, read, root } from './source.fixture.ts';

describe('the configuration page', () => {
  const page = read('docs/configuration.md');

  it('lists every environment variable with its default and meaning, and no other', () => {
    for (const [name, { fallback, help }] of Object.entries(variables)) {
      const shown = fallback === '' ? '–' : `\`${fallback}\``;
      expect(page).toContain(`| \`${name}\` | ${shown} | ${help} |`);
    }
    const listed = [...page.matchAll(/^\| `([A-Z_]+)` \|/gm)].map(([, name]) => name);
    expect(listed.sort()).toEqual(Object.keys(variables).sort());
  });
});

describe('the README', () => {
  const readme = read('README.md');

  it('shows the two commands that exist', () => {
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
    for (const command of ['start', 'test', 'dev']) expect(scripts[command]).toBeTruthy();
    for (const command of ['npm start', 'npm test', 'npm run dev']) expect(readme).toContain(command);
    expect(read('.ci/run')).toMatch(/^npm test$/m);
  });
});

describe('the documentation', () => {
  it('has the API reference that the contract generates (npm run api-reference)', () => {
    expect(read('docs/protocols/api.md')).toBe(apiReference());
  });

  const documents = [
    'README.md',
    'ARCHITECTURE.md',
    'CONTRIBUTING.md',
    'CHANGELOG.md',
    'SECURITY.md',
    ...filesBelow('docs', ['.md']),
    ...filesBelow('deploy', ['.md']),
  ];
  /** Targets of links within the repository, as paths from its root, each with the heading it names. */
  const links = documents.flatMap((document) =>
    [...read(document).matchAll(/\]\((?!https?:)([^)\s]+)\)/g)].map(([, link = '']) => {
      const [path = '', heading = ''] = link.split('#');
      const target = path === '' ? document : new URL(path, `file:///${document}`).pathname.slice(1);
      return { document, target, heading };
    }),
  );

  it('has no link to a missing file', () => {
    expect(links.filter(({ target }) => !existsSync(join(root, target)))).toEqual([]);
  });

  it('has no link to a missing heading', () => {
    const toHeadings = links.filter(({ target, heading }) => heading !== '' && target.endsWith('.md'));
    expect(toHeadings.length).toBeGreaterThan(20);
    expect(toHeadings.filter(({ target, heading }) => !anchorsOf(target).includes(heading))).toEqual([]);
  });

  it('names no missing source file', () => {
    const endings = ['.ts', '.tsx', '.mjs'];
    const folders = ['apps', 'attack', 'bench', 'packages', 'scripts', 'tests'];
    const sources = folders.flatMap((folder) => filesBelow(folder, endings)).map((path) => `/${path}`);
    // The example of a feature, which stands for all of them.
    const isExample = (name: string) => name.endsWith('x-feature.ts');
    const named = documents.flatMap((document) =>
      [...read(document).matchAll(/`([\w./-]+\.(?:tsx?|mjs))`/g)].map(([, name = '']) => ({ document, name })),
    );
    expect(named.length).toBeGreaterThan(20);
    const missing = named.filter(({ name }) => !isExample(name) && !sources.some((path) => path.endsWith(`/${name}`)));
    expect(missing).toEqual([]);
  });
});

/** Names of a page's headings in addresses, as the sites that show it make them. */
function anchorsOf(page: string): string[] {
  return [...read(page).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}
