import type { QueryClient } from '@tanstack/react-query';
import { streamsQuery } from '../components/streams/streams-queries.ts';
import { initStateQuery } from '../features/auth/auth-queries.ts';
import { readCredentials } from '../lib/credentials.ts';
import { checkQuery, environmentQuery, serverNowQuery, statusQuery } from '../lib/queries/system-queries.ts';
import { isPopout, parseAddress, selectScreen } from './routing.ts';
import { findScreen, preloadTab, scenarioTabs, settingsTabs } from './screens.ts';

/**
 * Requests code and data of a page before the first render. Without it every part is requested only after the part before it has arrived
 * and rendered, which adds up on slow connections. Failures are left to the component that needs the part.
 */
export function prefetchPage(queries: QueryClient, { pathname, search }: { pathname: string; search: string }): void {
  void queries.prefetchQuery(environmentQuery);
  void queries.prefetchQuery(checkQuery);
  void queries.prefetchQuery(initStateQuery);
  const place = parseAddress({ pathname, search, hash: '' }, 'en');
  if (place.kind !== 'place') return;
  const screen = selectScreen(place.route, { initialised: true, signedIn: readCredentials() !== undefined });
  void findScreen(screen).page.preload();
  if (screen !== 'scenario' && screen !== 'settings') return;
  const wanted = new URLSearchParams(search).get('tab') ?? '';
  const tabs = screen === 'scenario' ? scenarioTabs : settingsTabs;
  const tab = tabs.find(({ id, alsoFor }) => id === wanted || alsoFor?.includes(wanted));
  if (tab) void preloadTab(tab);
  if (isPopout(search)) return;
  // Browsers send six requests at a time: the tab's own data goes first, then the status bar's.
  tab?.prefetch?.(queries);
  void queries.prefetchQuery(statusQuery);
  void queries.prefetchQuery(streamsQuery);
  void queries.prefetchQuery(serverNowQuery);
}
