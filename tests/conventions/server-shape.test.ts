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

  it('gives a class at most eight dependencies', () => {
    const isTakenBy = (name: string, path: string) => new RegExp(`constructor\\([^)]*: ${name}\\b`).test(read(path));
    const crowded = server.flatMap((path) =>
      [...read(path).matchAll(/^(export )?interface (\w*Context)\b[^{]*\{\n([\s\S]*?)^\}/gm)]
        .filter(([, isExported, name = '']) => (isExported ? server : [path]).some((file) => isTakenBy(name, file)))
        .map(([, , name, body = '']) => ({ name, count: body.match(/^ {2}(?:readonly )?\w+\??[:(]/gm)?.length ?? 0 }))
        .filter(({ count }) => count > 8)
        .map(({ name, count }) => `${path}: ${name} has ${count}`),
    );
    expect(crowded).toEqual([]);
  });

  it('hands declarations of features to mechanisms in app.ts only', () => {
    const registers = /\.(registerOutputs|registerHolder|registerOwner)\(|\bsegments\.add\(/g;
    const inMechanisms = ['apps/server/src/app.ts', 'apps/server/src/uploads/upload-queue.ts'];
    expect(
      found(
        registers,
        server.filter((path) => !inMechanisms.includes(path)),
      ),
    ).toEqual([]);
  });

  it('has features that listen to events, and to no mechanism directly', () => {
    const features = server.filter((path) => path.startsWith('apps/server/src/features/'));
    const listens = /(?<!\bhttp)\.on[A-Z]\w*\((?:async )?(?:\(|\w+ =>|\w+\.\w+\.wake)/g;
    expect(found(listens, features)).toEqual([]);
  });
});
