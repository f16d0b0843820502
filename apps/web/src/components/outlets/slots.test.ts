import { Outlet } from '@weir/contract';
import { describe, expect, it } from 'vitest';
import { initialKey, listSlots, orderSlots, randomSlotId } from './slots.ts';

const slot = (platform: string, facts: Partial<Outlet> = {}) => Outlet.parse({ platform, ...facts });
const saved = (...slots: Outlet[]) => Object.fromEntries(slots.map((one) => [one.platform, one]));
const keys = (slots: Record<string, Outlet>, limit: number) =>
  listSlots('forward', slots, limit, (number) => `new${number}`).map(({ key, platform }) => `${key} ${platform}`);

describe('slots', () => {
  it('lists named platforms, then numbered slots up to the limit', () => {
    expect(keys({}, 5)).toEqual(['1 wx', '2 bilibili', '3 kuaishou', '4 forwarding-4-new4', '5 forwarding-5-new5']);
    expect(keys({}, 0)).toEqual(['1 wx', '2 bilibili', '3 kuaishou']);
  });

  it('orders slots by their number', () => {
    expect(keys(saved(slot('forwarding-5-a1b2c3'), slot('wx')), 5)).toEqual([
      '1 wx',
      '2 bilibili',
      '3 kuaishou',
      '4 forwarding-4-new4',
      '5 forwarding-5-a1b2c3',
    ]);
  });

  it('lists slots above a lowered limit and with duplicate numbers', () => {
    const slots = saved(slot('forwarding-4-a'), slot('forwarding-4-b'), slot('forwarding-9-c'), slot('vlive-4-x'));
    expect(keys(slots, 4).slice(3)).toEqual([
      '4 forwarding-4-a',
      'forwarding-4-b forwarding-4-b',
      'forwarding-9-c forwarding-9-c',
    ]);
  });
});

it('orders configured slots first and offers one unused numbered slot', () => {
  const views = listSlots('forward', saved(slot('forwarding-5-a'), slot('bilibili')), 6, (number) => `new${number}`);
  const keysOf = (list: readonly { key: string }[]) => list.map(({ key }) => key);
  const none = orderSlots(views, []);
  expect([keysOf(none.shown), keysOf(none.unused)]).toEqual([
    ['2', '5'],
    ['1', '3', '4'],
  ]);
  const some = orderSlots(views, ['4', '1']);
  expect([keysOf(some.shown), keysOf(some.unused)]).toEqual([
    ['2', '5', '1', '4'],
    ['3', '6'],
  ]);
});

it.each([
  [[], '1'],
  [[slot('wx', { server: 'rtmp://a/b', secret: 'k' })], '1'],
  [[slot('wx', { enabled: true })], '99'],
  [[slot('forwarding-4-a', { enabled: true, server: 'rtmp://a/b', secret: 'k' })], '99'],
  [[slot('forwarding-4-a', { enabled: true, server: 'rtmp://a/b' })], '1'],
])('opens with %j the panel %s', (slots, key) => {
  expect(initialKey(saved(...slots))).toBe(key);
});

it('creates slot ids of six hexadecimal digits', () => {
  expect(randomSlotId()).toMatch(/^[0-9a-f]{6}$/);
});
