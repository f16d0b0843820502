import { describe, expect, it } from 'vitest';
import { filesBelow, read } from './source.fixture.ts';

const page = read('docs/security.md');
const section = (heading: string) => page.split(`\n## ${heading}\n`)[1]?.split('\n## ')[0] ?? '';
const listed = ['Attacks', 'Faults'].flatMap((heading) =>
  [...section(heading).matchAll(/^\| ([SF]\d{2})\b/gm)].map(([, id = '']) => id),
);

/** IDs as test titles (`S31: …`, `S03, S04: …`) and attacks (`id: 'S33'`) write them, each with its file. */
const used = ['apps', 'attack', 'packages', 'tests']
  .flatMap((folder) => filesBelow(folder, ['.ts', '.tsx']))
  .flatMap((path) =>
    [...read(path).matchAll(/\b([SF]\d{2})(?=:|, [SF]\d{2}\b|')/g)].map(([, id = '']) => ({ id, path })),
  );

describe('the lists of attacks and faults in docs/security.md', () => {
  it('have a row for every ID that a test title or an attack uses', () => {
    expect(used.length).toBeGreaterThan(100);
    expect(used.filter(({ id }) => !listed.includes(id))).toEqual([]);
  });

  it('have each ID once, in order', () => {
    for (const kind of ['S', 'F']) {
      const ids = listed.filter((id) => id.startsWith(kind));
      expect(ids).toEqual([...new Set(ids)].sort());
    }
  });
});
