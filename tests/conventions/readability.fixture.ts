import { dirname, join, relative } from 'node:path';
import { filesBelow, importsOf, read, root } from './source.fixture.ts';

/** First words that hide what a comment is about until its end. */
const oblique = new Set(
  (
    'what whatever whatsoever of whether who whoever whom whose whichever it they them theirs ' +
    'he she his her somebody someone something anybody anyone anything nobody nothing none neither everybody everyone everything ' +
    'such so as how however where wherever whence thus therefore hence lest else otherwise likewise others ones said being having'
  ).split(' '),
);
/** Pronouns with these words behind them, but determiners before a noun. */
const oftenDeterminers = new Set([
  'one',
  'another',
  'both',
  'either',
  'these',
  'those',
  'that',
  'which',
  'its',
  'their',
]);
const followers =
  /^(that|who|which|of|is|was|are|were|has|have|had|may|can|will|must|by|in|to|at|for|from|and|or|before|after)$/;

interface Comment {
  readonly file: string;
  readonly line: number;
  readonly text: string;
}

const isTest = (file: string) => /\.(test|fixture|setup)\.tsx?$/.test(file);

/** Files of the product, without tests. */
export const productFiles = ['apps', 'packages']
  .flatMap((folder) => filesBelow(folder, ['.ts', '.tsx']))
  .filter((file) => !isTest(file));

export const codeFiles = ['apps', 'packages', 'tests', 'bench', 'attack', 'scripts'].flatMap((folder) =>
  filesBelow(folder, ['.ts', '.tsx', '.mjs']),
);

/** Block comments and runs of line comments that stand on lines of their own. */
export function commentsIn(file: string): Comment[] {
  const comments: Comment[] = [];
  const lines = read(file).split('\n');
  for (let n = 0; n < lines.length; n += 1) {
    const line = (lines[n] ?? '').trim();
    const start = n + 1;
    if (line.startsWith('//')) {
      const texts = [line];
      while ((lines[n + 1] ?? '').trim().startsWith('//')) texts.push((lines[++n] ?? '').trim());
      add(start, texts.map((text) => text.replace(/^\/\/+\s?/, '')).join(' '));
    } else if (/^(\{)?\/\*/.test(line)) {
      const texts = [line];
      while (!(lines[n] ?? '').includes('*/') && n < lines.length) texts.push((lines[++n] ?? '').trim());
      add(start, texts.map((text) => text.replace(/^(\{?\/\*+|\*+\/?)\s?/, '').replace(/\s*\*+\/\}?$/, '')).join(' '));
    }
  }
  return comments;

  function add(line: number, text: string): void {
    const plain = text.trim();
    if (/[a-z]/i.test(plain) && !/^(biome-ignore|@ts-|#region)/.test(plain)) comments.push({ file, line, text: plain });
  }
}

export function startsObliquely(text: string): boolean {
  if (!/^[A-Za-z]/.test(text)) return false;
  const [word = '', next = ''] = text.toLowerCase().match(/[a-z]+/g) ?? [];
  return oftenDeterminers.has(word) ? followers.test(next) : oblique.has(word);
}

/**
 * Files of an app with one importer, which is in the same folder, and without a test of their own. Files that their importer loads later
 * are left out: only a file of its own can be loaded later.
 */
export function helperFiles(): string[] {
  const lazy = lazyFiles();
  return filesWithOneImporter().filter((file) => !lazy.has(file));
}

/** Files with one importer, which loads them later. */
export function lazyHelperFiles(): string[] {
  const lazy = lazyFiles();
  return filesWithOneImporter().filter((file) => lazy.has(file));
}

function filesWithOneImporter(): string[] {
  const importers = new Map<string, Set<string>>();
  for (const file of productFiles) {
    for (const target of importsOf(file)) {
      importers.set(target, (importers.get(target) ?? new Set()).add(file));
    }
  }
  const tests = new Set(codeFiles.filter(isTest));
  const hasTest = (file: string) =>
    ['ts', 'tsx'].some((ending) => tests.has(file.replace(/\.tsx?$/, `.test.${ending}`)));
  return productFiles.filter((file) => {
    const [importer, ...more] = importers.get(file) ?? [];
    const isAlone = importer !== undefined && more.length === 0 && dirname(importer) === dirname(file);
    return file.startsWith('apps/') && isAlone && !hasTest(file);
  });
}

/** Targets of `import('./x.ts')`. */
function lazyFiles(): Set<string> {
  return new Set(
    productFiles.flatMap((file) =>
      [...read(file).matchAll(/\bimport\(\s*'(\.[^']+)'/g)].map(([, path = '']) =>
        relative(root, join(root, dirname(file), path)),
      ),
    ),
  );
}

const fewLines = 80;

/** Helpers of fewer lines than most ideas take. */
export function shortHelperFiles(): string[] {
  return helperFiles().filter((file) => read(file).split('\n').length - 1 < fewLines);
}

/** Lines of object literals that spread another literal, as in `...{ a, b },`. */
export function spreadLiterals(): string[] {
  return codeFiles.flatMap((file) =>
    read(file)
      .split('\n')
      .flatMap((line, n) => (/^\s*\.\.\.\{/.test(line) ? [`${relative(root, join(root, file))}:${n + 1}`] : [])),
  );
}

export function lengthsOf(files: readonly string[]): number[] {
  return files.map((file) => read(file).split('\n').length - 1).sort((a, b) => a - b);
}
