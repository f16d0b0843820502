import { expect, it } from 'vitest';
import {
  codeFiles,
  commentsIn,
  helperFiles,
  lengthsOf,
  productFiles,
  shortHelperFiles,
  spreadLiterals,
  startsObliquely,
} from './readability.fixture.ts';

it('fewer than one comment in twenty starts with a word that hides its subject', () => {
  const comments = codeFiles.flatMap(commentsIn);
  const oblique = comments.filter(({ text }) => startsObliquely(text));
  expect(comments.length).toBeGreaterThan(5000);
  expect(oblique.length / comments.length).toBeLessThan(0.05);
});

it('source files are neither fragments nor hard to hold in mind', () => {
  const lengths = lengthsOf(productFiles);
  const at = (share: number) => lengths[Math.floor(lengths.length * share)] ?? 0;
  expect(at(0.5)).toBeGreaterThanOrEqual(60);
  expect(at(0.5)).toBeLessThanOrEqual(111);
  expect(at(0.9)).toBeGreaterThanOrEqual(160);
  expect(at(0.9)).toBeLessThanOrEqual(300);
});

it('few files serve a single neighbour, and fewer short ones', () => {
  // Some are an idea of their own, such as a clock or the script of a slate; the limits keep fragments from becoming a habit again.
  expect(helperFiles().length).toBeLessThanOrEqual(111);
  expect(shortHelperFiles().length).toBeLessThan(22);
});

it('literals are written plainly, without spreading another literal', () => {
  expect(spreadLiterals()).toEqual([]);
});
