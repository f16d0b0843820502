import { readRange } from '@weir/dialect';
import { expect, it } from 'vitest';
import { isGoodLink, signLink } from './signed-link.ts';

const key = new Uint8Array(32).fill(1);
const uuid = '00000000-0000-4000-8000-000000000001';
const nowMs = 1_700_000_000_000;
const link = signLink(key, uuid, nowMs + 60_000);

it('S23: a link opens its recording until it ends, and nothing else', () => {
  expect(isGoodLink(key, uuid, link, nowMs)).toBe(true);
  expect(isGoodLink(key, uuid, link, nowMs + 60_000)).toBe(false);
  expect(isGoodLink(key, uuid.replace('1', '2'), link, nowMs)).toBe(false);
  expect(isGoodLink(new Uint8Array(32).fill(2), uuid, link, nowMs)).toBe(false);
  const [seconds = '', mac = ''] = link.split('.');
  for (const forged of [
    `${Number(seconds) + 1}.${mac}`,
    `${seconds}.${mac.slice(0, -1)}`,
    `${seconds}.${mac}x`,
    `${seconds}.`,
    `.${mac}`,
    '',
    seconds,
    `${seconds}.${mac.toLowerCase()}`,
  ])
    expect(isGoodLink(key, uuid, forged, nowMs)).toBe(false);
});

it.each([
  [undefined, undefined],
  ['bytes=0-', { start: 0, end: 99 }],
  ['bytes=0-0', { start: 0, end: 0 }],
  ['bytes=10-19', { start: 10, end: 19 }],
  ['bytes=90-200', { start: 90, end: 99 }],
  ['bytes=-10', { start: 90, end: 99 }],
  ['bytes=-1000', { start: 0, end: 99 }],
  ['bytes=100-', 'unsatisfiable'],
  ['bytes=-0', 'unsatisfiable'],
  ['bytes=20-10', undefined],
  ['bytes=0-1,5-6', undefined],
  ['bytes=-', undefined],
  ['pages=1-2', undefined],
  ['bytes=a-b', undefined],
])('reads the range %s of 100 bytes', (header, expected) => {
  expect(readRange(header, 100)).toEqual(expected);
});
