import { expect, it } from 'vitest';
import { RewindSigns } from './rewind-signs.ts';

const hour = 3_600_000;
const stem = '/live/show.dvr-';
const path = `${stem}7.ts`;

function open() {
  const now = { ms: 1_800_000_000_000 };
  const signs = new RewindSigns(
    () => now.ms,
    () => hour,
  );
  signs.setKey('k'.repeat(43));
  return { now, signs };
}

it('gives all pieces of ten minutes one signature, which counts as made then and lasts for the window', () => {
  const { now, signs } = open();
  const query = signs.query(stem, now.ms);
  expect(signs.query(stem, now.ms + 1000)).toBe(query);
  expect(signs.query(stem, now.ms + hour)).not.toBe(query);
  expect(signs.signedAtMs(path, query)).toBeLessThanOrEqual(now.ms);
  now.ms += hour;
  expect(signs.signedAtMs(path, query)).toBeDefined();
  now.ms += hour;
  expect(signs.signedAtMs(path, query)).toBeUndefined();
});

it('refuses another stream, another key, no key, and what is no signature', () => {
  const { now, signs } = open();
  const query = signs.query(stem, now.ms);
  const shown = (...texts: string[]) => texts.map((text) => signs.signedAtMs(path, text));
  expect(signs.signedAtMs('/live/other.dvr-7.ts', query)).toBeUndefined();
  expect(signs.signedAtMs('/live/show-7-7.ts', query)).toBeUndefined();
  expect(shown('', 'sign=', `${query}x`, query.replace('.', '0.'))).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
  signs.setKey('n'.repeat(43));
  expect(shown(query)).toEqual([undefined]);
  signs.setKey('');
  expect(shown(signs.query(stem, now.ms))).toEqual([undefined]);
});
