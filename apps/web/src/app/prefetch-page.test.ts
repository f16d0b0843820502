import { afterEach, expect, it, vi } from 'vitest';
import { consumePrefetched, dropPrefetched, prefetchCall } from '../lib/browser/prefetched-calls.ts';
import { listStartupCalls } from '../lib/browser/startup-calls.ts';
import { saveCredentials, signOut } from '../lib/credentials.ts';
import { createQueryClient } from '../lib/query-client.ts';
import { session } from '../testing/fake-server.ts';
import { prefetchPage } from './prefetch-page.ts';

afterEach(() => {
  signOut();
  dropPrefetched();
  vi.unstubAllGlobals();
});

/** Paths that the console itself requests at an address during startup. */
function asked(pathname: string, search: string): string[] {
  const send = vi.fn(async (_url: string, _init: RequestInit) => new Response('{"code":0,"data":{}}'));
  vi.stubGlobal('fetch', send);
  prefetchPage(createQueryClient(), { pathname, search });
  return send.mock.calls.map(([url, { method, body, headers }]) => {
    const isOpen = new Headers(headers).get('authorization') === null;
    return JSON.stringify([url, method, body, isOpen]);
  });
}

it.each([
  ['/en/routers-scenario', '?tab=overview'],
  ['/zh/routers-scenario', '?tab=forward'],
  ['/en/routers-scenario', '?tab=live&stream=live/show'],
  ['/en/routers-scenario', '?tab=overview&popout=1'],
  ['/en/routers-settings', ''],
  ['/en/routers-components', ''],
  ['/en/routers-login', ''],
  ['/en/routers-popout', ''],
])('prefetches the calls that the console makes at %s%s', (pathname, search) => {
  for (const isSignedIn of [false, true]) {
    if (isSignedIn) saveCredentials(session);
    const calls = listStartupCalls({ pathname: `/mgmt${pathname}`, search, language: 'en', isSignedIn });
    const ahead = calls.map(({ path, body, isOpen = false }) =>
      JSON.stringify([path, body ? 'POST' : 'GET', body && JSON.stringify(body), isOpen || !isSignedIn]),
    );
    expect(ahead.toSorted()).toEqual(asked(pathname, search).toSorted());
  }
});

it('returns a prefetched response once, for the same call and credentials', async () => {
  const send = vi.fn(async () => new Response('first'));
  vi.stubGlobal('fetch', send);
  const mine = { method: 'POST', body: '{}', headers: { authorization: 'Bearer mine' } };
  prefetchCall('/a', mine);
  expect(consumePrefetched('/b', mine)).toBeUndefined();
  expect(consumePrefetched('/a', { ...mine, body: '{"x":1}' })).toBeUndefined();
  expect(consumePrefetched('/a', { ...mine, headers: { authorization: 'Bearer yours' } })).toBeUndefined();
  expect(await (await consumePrefetched('/a', mine))?.text()).toBe('first');
  expect(consumePrefetched('/a', mine)).toBeUndefined();
  prefetchCall('/a', mine);
  dropPrefetched();
  expect(consumePrefetched('/a', mine)).toBeUndefined();
});
