import { expect, it } from 'vitest';
import { filesBelow, read } from './source.fixture.ts';

const files = ['apps', 'packages']
  .flatMap((folder) => filesBelow(folder, ['.ts', '.tsx']))
  .filter((path) => !/\.(test|fixture)\.tsx?$/.test(path));
/** Shorter ones are said sooner than looked up. */
const leastCharacters = 100;

it('no function is written twice', () => {
  const places = new Map<string, string[]>();
  for (const file of files) {
    for (const [text, name = ''] of read(file).matchAll(/^(?:export )?(?:async )?function (\w+)[(<][\s\S]*?\n\}$/gm)) {
      const body = text.slice(text.indexOf(name) + name.length).replaceAll(/\s+/g, ' ');
      if (body.length >= leastCharacters) places.set(body, [...(places.get(body) ?? []), `${file} ${name}`]);
    }
  }
  expect(places.size).toBeGreaterThan(1000);
  expect([...places.values()].filter((where) => where.length > 1)).toEqual([]);
});
