import { dirname, join, relative } from 'node:path';
import { filesBelow, importsOf, read, root } from './source.fixture.ts';

/** First words that hide what a comment is about until its end. */
const oblique = new Set(
  (
    'what whatever whatsoever of whether who whoever whom whose which whichever it its that those these they them their theirs ' +
    'he she his her somebody someone something anybody anyone anything nobody nothing none neither everybody everyone everything ' +
    'such so as how however where wherever whence thus therefore hence lest else otherwise likewise another others one ones ' +
    'said being having both either'
  ).split(' '),
);

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
  const [word = ''] = /[A-Za-z']+/.exec(text) ?? [];
  return /^[A-Za-z]/.test(text) && oblique.has(word.toLowerCase().replace(/'.*/, ''));
}

/** Files of an app with one importer, which is in the same folder, and without a test of their own. */
export function helperFiles(): string[] {
  const importers = new Map<string, Set<string>>();
  for (const file of productFiles) {
    for (const target of importsOf(file)) {
      importers.set(target, (importers.get(target) ?? new Set()).add(file));
    }
  }
  const tests = new Set(codeFiles.filter(isTest));
  return productFiles.filter((file) => {
    const [importer, ...more] = importers.get(file) ?? [];
    const isAlone = importer !== undefined && more.length === 0 && dirname(importer) === dirname(file);
    return file.startsWith('apps/') && isAlone && !tests.has(file.replace(/\.(tsx?)$/, '.test.$1'));
  });
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
