/**
 * Prints the measures of readability: `node scripts/readability.ts [--list comments|helpers|short-helpers|spreads] [path]`.
 * With `--list`, the places behind one measure; a path limits everything to the files below it.
 */
import {
  codeFiles,
  commentsIn,
  helperFiles,
  lazyHelperFiles,
  lengthsOf,
  productFiles,
  shortHelperFiles,
  spreadLiterals,
  startsObliquely,
} from '../tests/conventions/readability.fixture.ts';

const args = process.argv.slice(2);
const list = args[0] === '--list' ? args.splice(0, 2)[1] : undefined;
const below = (path: string) => path.startsWith(args[0] ?? '');

const comments = codeFiles.filter(below).flatMap(commentsIn);
const oblique = comments.filter(({ text }) => startsObliquely(text));
const helpers = helperFiles().filter(below);
const shortHelpers = shortHelperFiles().filter(below);
const spreads = spreadLiterals().filter(below);

if (list === 'comments') for (const { file, line, text } of oblique) console.log(`${file}:${line}: ${text}`);
else if (list === 'helpers') for (const file of helpers) console.log(file);
else if (list === 'short-helpers') for (const file of shortHelpers) console.log(file);
else if (list === 'spreads') for (const place of spreads) console.log(place);
else {
  const lengths = lengthsOf(productFiles.filter(below));
  const at = (share: number) => lengths[Math.floor(lengths.length * share)] ?? 0;
  const mean = lengths.reduce((sum, length) => sum + length, 0) / lengths.length;
  console.table({
    comments: comments.length,
    'oblique first words': `${oblique.length} (${((100 * oblique.length) / comments.length).toFixed(1)} %)`,
    'source files': lengths.length,
    'lines a file': `mean ${mean.toFixed(0)}, median ${at(0.5)}, 90th percentile ${at(0.9)}, longest ${at(0.9999)}`,
    'helper files with one importer': helpers.length,
    'of these below 80 lines': shortHelpers.length,
    'files that their one importer loads later': lazyHelperFiles().filter(below).length,
    'spread literals': spreads.length,
  });
}
