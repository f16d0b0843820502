import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { CardVisibility } from './card-visibility.ts';

/** Stands in for the browser's intersection observer. */
let see: (target: Element, isIntersecting: boolean) => void = () => undefined;
let idle: (() => void)[] = [];

beforeEach(() => {
  idle = [];
  vi.useFakeTimers();
  vi.stubGlobal('requestIdleCallback', (act: () => void) => idle.push(act));
  vi.stubGlobal(
    'IntersectionObserver',
    class {
      observe = vi.fn();
      unobserve = vi.fn();
      constructor(callback: (entries: { target: Element; isIntersecting: boolean }[]) => void) {
        see = (target, isIntersecting) => callback([{ target, isIntersecting }]);
      }
    },
  );
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function watched(count: number) {
  const watch = new CardVisibility();
  const cards = Array.from({ length: count }, () => {
    const element = document.createElement('li');
    const told: string[] = [];
    return { element, told, leave: watch.add(element, 'far', (phase) => told.push(phase)) };
  });
  return cards as [(typeof cards)[0], ...typeof cards];
}

it('updates a visible card and keeps the last state of a hidden one', () => {
  const [card] = watched(1);
  see(card.element, true);
  see(card.element, false);
  see(card.element, true);
  expect(card.told).toEqual(['near', 'kept', 'near']);
});

it('renders passing cards during a scroll and changes nothing else', () => {
  const [card] = watched(1);
  window.dispatchEvent(new Event('scroll'));
  see(card.element, true);
  see(card.element, false);
  see(card.element, true);
  expect(card.told).toEqual(['kept']);
  vi.advanceTimersByTime(1000);
  expect(card.told).toEqual(['kept', 'near']);
});

it('renders hidden cards a few at a time when the page is idle', () => {
  const cards = watched(9);
  see(cards[0].element, true);
  const drawn = () => cards.filter(({ told }) => told.length > 0).length;
  expect([drawn(), idle.length]).toEqual([1, 1]);
  for (let turns = 0; idle.length > 0 && turns < 10; turns += 1) {
    const before = drawn();
    idle.shift()?.();
    expect(drawn() - before).toBeLessThanOrEqual(4);
  }
  expect(drawn()).toBe(9);
  for (const card of cards) card.leave();
});

it('renders only near cards when there are very many', () => {
  const cards = watched(201);
  see(cards[0].element, true);
  expect([cards[0].told, idle.length]).toEqual([['near'], 0]);
});
