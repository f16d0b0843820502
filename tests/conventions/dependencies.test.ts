import { describe, expect, it } from 'vitest';
import { filesBelow, read } from './source.fixture.ts';

interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

const page = 'docs/dependencies.md';
/** Cells of each row of a package: names, users, purpose, reason, licence, release. */
const rows = read(page)
  .split('\n')
  .filter((line) => line.startsWith('| `'))
  .map((line) => line.split(' | ').map((cell) => cell.replace(/^\| | \|$/g, '')));
const namesIn = (cell = '') => [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);
const manifests = [
  'package.json',
  ...filesBelow('packages', ['package.json']),
  ...filesBelow('apps', ['package.json']),
];

describe('docs/dependencies.md', () => {
  it.each(manifests)('has a row for every runtime dependency of %s, and names its user', (path) => {
    const { dependencies, optionalDependencies } = JSON.parse(read(path)) as Manifest;
    const workspace = path.replace(/\/?package\.json$/, '');
    const missing = Object.keys({ ...dependencies, ...optionalDependencies })
      .filter((name) => !name.startsWith('@weir/'))
      .filter((name) => {
        const row = rows.find(([names]) => namesIn(names).includes(name));
        return row === undefined || (workspace !== '' && !namesIn(row[1]).includes(workspace));
      });
    expect(missing).toEqual([]);
  });

  it('gives each package a purpose, a reason, a licence and the month of its latest release', () => {
    for (const [names, , purpose, reason, licence, release] of rows) {
      expect([names, purpose, reason, licence].every((cell) => cell !== undefined && cell !== '')).toBe(true);
      expect([names, release]).toEqual([names, expect.stringMatching(/^20\d\d-\d\d$/)]);
    }
  });

  it('names places of our own code that exist', () => {
    const own = read(page).slice(read(page).indexOf('## Written by hand'));
    const places = [...own.matchAll(/`((?:apps|packages|tests)\/[^`]+)`/g)].map(([, place = '']) => place);
    const files = [...filesBelow('apps', ['']), ...filesBelow('packages', ['']), ...filesBelow('tests', [''])];
    expect(places.length).toBeGreaterThan(15);
    expect(places.filter((place) => !files.some((file) => file === place || file.startsWith(`${place}/`)))).toEqual([]);
  });
});
