import { expect, it } from 'vitest';
import { isGoodLink, signLink } from './signed-link.ts';

const key = new Uint8Array(32).fill(1);
const uuid = '00000000-0000-4000-8000-000000000001';
const nowMs = 1_700_000_000_000;
const link = signLink(key, uuid, nowMs + 60_000);

it('S23: a signed link opens its recording until it expires, and nothing else', () => {
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
