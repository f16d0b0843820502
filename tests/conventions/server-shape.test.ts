import { describe, expect, it } from 'vitest';
import { filesBelow, read } from './source.fixture.ts';

const server = filesBelow('apps/server/src', ['.ts']).filter((path) => !/\.(test|fixture)\.ts$/.test(path));
const camel = (name: string) => name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());

/** `file: what it says` for every match: an empty list reads well, a broken rule names its place. */
function found(pattern: RegExp, files: readonly string[]): string[] {
  return files.flatMap((path) => [...read(path).matchAll(pattern)].map(([text]) => `${path}: ${text}`));
}

describe('the shape of the server', () => {
  it('has features that are functions of their context, named for their files', () => {
    const features = server.filter((path) => path.endsWith('-feature.ts'));
    expect(features.length).toBeGreaterThan(20);
    const shapeless = features.filter((path) => {
      const name = camel(/([^/]+)\.ts$/.exec(path)?.[1] ?? '');
      return !new RegExp(`export (async )?function ${name}\\(`).test(read(path));
    });
    expect(shapeless).toEqual([]);
  });

  it('has one name for the dependencies of a part', () => {
    expect(found(/\binterface \w*Needs\b|#needs\b/g, server)).toEqual([]);
  });

  it('reads the system clock in one place', () => {
    const others = server.filter((path) => path !== 'apps/server/src/core/clock.ts');
    expect(
      found(/\bDate\.now\b|\bnew Date\(\)|\bperformance\.now\b|\bhrtime\b|@weir\/plane\/elapsed/g, others),
    ).toEqual([]);
  });
});
