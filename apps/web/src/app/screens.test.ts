import { afterEach, expect, it, vi } from 'vitest';
import { findScreen, preloadScreens, scenarioTabs, settingsTabs } from './screens.ts';

afterEach(() => {
  vi.useRealTimers();
  Reflect.deleteProperty(navigator, 'connection');
});

/** Counts preload attempts within ten seconds, with a server that is unreachable. */
async function askedAhead(connection?: object): Promise<number> {
  vi.useFakeTimers();
  if (connection) Object.defineProperty(navigator, 'connection', { value: connection, configurable: true });
  const preload = vi.spyOn(findScreen('scenario').page, 'preload').mockResolvedValue(false);
  const leave = preloadScreens();
  await vi.advanceTimersByTimeAsync(10_000);
  leave();
  const { length } = preload.mock.calls;
  preload.mockRestore();
  return length;
}

it.each([
  ['scenario', scenarioTabs],
  ['system', settingsTabs],
])('lists the tabs of each group together (%s)', (_screen, tabs) => {
  const headings = tabs.map(({ group }) => group).filter((group, at, all) => group !== all[at - 1]);
  expect(headings).toEqual([...new Set(headings)]);
});

it.each([
  ['of a browser that does not tell', undefined, 1],
  ['of one that need not save', { saveData: false }, 1],
  ['and nothing of one that was told to save data', { saveData: true }, 0],
])('preloads the code of other screens %s', async (_which, connection, times) => {
  expect(await askedAhead(connection)).toBe(times);
});
