import type { QueryClient } from '@tanstack/react-query';
import { streamsQuery } from '../components/streams/streams-queries.ts';
import { initStateQuery } from '../features/auth/auth-queries.ts';
import { readCredentials } from '../lib/credentials.ts';
import { checkQuery, environmentQuery, serverNowQuery, statusQuery } from '../lib/queries/system-queries.ts';
import { isPopout, parseAddress, selectScreen } from './routing.ts';
import { screens } from './screens.ts';
import { scenarioTabs, settingsTabs } from './tabs/tabs.ts';

/**
 * Asks for what the page of an address needs, code and data, before anything is drawn: each part would otherwise be asked for when
 * the one before it has arrived and been drawn, and on a slow line all that time is waiting. Whatever does not come is left to whoever shows it.
 */
export function prefetchPage(queries: QueryClient, { pathname, search }: { pathname: string; search: string }): void {
  void queries.prefetchQuery(environmentQuery);
  void queries.prefetchQuery(checkQuery);
  void queries.prefetchQuery(initStateQuery);
  const place = parseAddress({ pathname, search, hash: '' }, 'en');
  if (place.kind !== 'place') return;
  const screen = selectScreen(place.route, { initialised: true, signedIn: readCredentials() !== undefined });
  void screens[screen].preload();
  if (screen !== 'scenario' && screen !== 'settings') return;
  const wanted = new URLSearchParams(search).get('tab') ?? '';
  const tabs = screen === 'scenario' ? scenarioTabs : settingsTabs;
  const tab = tabs.find(({ id, alsoFor }) => id === wanted || alsoFor?.includes(wanted));
  void tab?.panel.preload();
  if (isPopout(search)) return;
  // A browser asks a server six things at a time: what the tab waits for goes first, then what stands at the foot of every page.
  tab?.prefetch?.(queries);
  void queries.prefetchQuery(statusQuery);
  void queries.prefetchQuery(streamsQuery);
  void queries.prefetchQuery(serverNowQuery);
}
