import { expect, it } from 'vitest';
import { FakeClock } from '../../core/clock.fixture.ts';
import { ImageLinks } from './image-links.ts';

it('S23: an address opens its image for an hour and some minutes, and no other image', async () => {
  const clock = new FakeClock('2026-01-01T00:00:01Z');
  const links = new ImageLinks({ clock, linkKey: async () => new Uint8Array(32).fill(7) });
  const address = (await links.paths())('1-image-a');
  const token = new URL(address, 'http://x').searchParams.get('token') ?? '';
  expect(address).toMatch(/^\/terraform\/v1\/ai\/ocr\/image\/1-image-a\.jpg\?token=/);
  expect([await links.isGood('1-image-a', token), await links.isGood('1-image-b', token)]).toEqual([true, false]);
  clock.pass(500_000);
  expect((await links.paths())('1-image-a')).toBe(address);
  clock.pass(3600_000 - 500_000);
  expect(await links.isGood('1-image-a', token)).toBe(true);
  clock.pass(600_000);
  expect(await links.isGood('1-image-a', token)).toBe(false);
});
