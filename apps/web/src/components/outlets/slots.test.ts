import { Outlet } from '@weir/contract';
import { describe, expect, it } from 'vitest';
import { findFreeSlot, initialKey, listSlots, randomSlotId, savedSlots } from './slots.ts';

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

it('gives a new destination the slot of its platform, else the next number, else what is left', () => {
  const views = listSlots('forward', saved(slot('forwarding-4-a'), slot('bilibili')), 5, (number) => `new${number}`);
  const free = (list: typeof views, wanted?: string) => findFreeSlot(list, wanted)?.platform;
  expect(savedSlots(views).map(({ key }) => key)).toEqual(['2', '4']);
  expect(free(views, 'wx')).toBe('wx');
  expect(free(views, 'bilibili')).toBe('forwarding-5-new5');
  expect(free(views)).toBe('forwarding-5-new5');
  const full = listSlots('forward', saved(slot('forwarding-4-a'), slot('wx')), 4, String);
  expect(free(full)).toBe('bilibili');
  expect(free(listSlots('forward', saved(slot('wx'), slot('bilibili'), slot('kuaishou')), 3, String))).toBeUndefined();
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
