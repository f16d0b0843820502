import { expect, it } from 'vitest';
import { addTexts } from './running-texts.tsx';

const now = new Date('2026-01-01');
const read = (n: number, ocr: string) => ({ tsid: `s${n}`, ocr, outcome: 'called' as const });

it('lists a text that stays in the video once, and again when it returns', () => {
  const first = addTexts([], [read(1, 'SCORE 1'), read(2, 'SCORE 1'), read(3, ''), read(4, 'SCORE 2')], now);
  expect(first.map(({ text }) => text)).toEqual(['SCORE 1', 'SCORE 2']);
  expect(addTexts(first, [read(4, 'SCORE 2')], now)).toBe(first);
  expect(addTexts(first, [read(5, 'SCORE 1')], now).map(({ text }) => text)).toEqual(['SCORE 1', 'SCORE 2', 'SCORE 1']);
});
