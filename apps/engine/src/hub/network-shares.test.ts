import { expect, it } from 'vitest';
import { NetworkShares } from './network-shares.ts';

const limits = { network: 2, site: 3, region: 5 };

it('gives each network its share, and returns what is released', () => {
  const shares = new NetworkShares(limits);
  expect(['::1', '::2', '::3'].map((end) => shares.take(`2001:db8:0:1${end}`))).toEqual([true, true, false]);
  expect(shares.take('2001:db8:9:1::1')).toBe(true);
  shares.giveBack('2001:db8:0:1::1');
  expect(shares.heldBy('2001:db8:0:1::77')).toBe(1);
  expect(shares.take('2001:db8:0:1::4')).toBe(true);
});

it('limits the networks of one site and the sites of one region together', () => {
  const shares = new NetworkShares(limits);
  const addresses = ['10.1.1.1', '10.1.1.1', '10.1.1.2', '10.1.1.3', '10.1.2.1', '10.1.3.1', '10.1.4.1', '10.2.1.1'];
  expect(addresses.map((address) => shares.take(address))).toEqual([true, true, true, false, true, true, false, true]);
});

it('counts amounts, and reserves nothing of an amount that does not fit', () => {
  const shares = new NetworkShares({ network: 100, site: 200, region: 300 });
  expect(shares.take('10.1.1.1', 90)).toBe(true);
  expect(shares.take('10.1.1.1', 11)).toBe(false);
  expect(shares.take('10.1.1.1', 10)).toBe(true);
  shares.giveBack('10.1.1.1', 100);
  expect(shares.heldBy('10.1.1.1')).toBe(0);
});
