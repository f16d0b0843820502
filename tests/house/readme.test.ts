import { variables } from '@weir/plane/config';
import { describe, expect, it } from 'vitest';
import { apiReference } from '../../scripts/api-reference.ts';
import { filesBelow, read } from './source.fixture.ts';

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

  it('shows the two commands that there are', () => {
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
    for (const command of ['start', 'test', 'dev']) expect(scripts[command]).toBeTruthy();
    for (const command of ['npm start', 'npm test', 'npm run dev']) expect(readme).toContain(command);
    expect(read('.ci/run')).toMatch(/^npm test$/m);
  });
});

describe('the documentation', () => {
  it('has the API reference that the contract gives (npm run api-reference)', () => {
    expect(read('docs/protocols/api.md')).toBe(apiReference());
  });

  it('has no link to a file that is not there', () => {
    const documents = [
      'README.md',
      'ARCHITECTURE.md',
      'CONTRIBUTING.md',
      'CHANGELOG.md',
      'SECURITY.md',
      ...filesBelow('docs', ['.md']),
    ];
    for (const document of documents) {
      for (const [, target = ''] of read(document).matchAll(/\]\((?!https?:)([^)#]+)/g)) {
        const path = new URL(target, `file:///${document}`).pathname.slice(1);
        expect(
          () => filesBelow(path.split('/').slice(0, -1).join('/') || '.', [path.split('/').at(-1) ?? '']),
          document,
        ).not.toThrow();
        expect(
          filesBelow(path.split('/').slice(0, -1).join('/') || '.', [path.split('/').at(-1) ?? '']),
          document,
        ).not.toEqual([]);
      }
    }
  });
});
