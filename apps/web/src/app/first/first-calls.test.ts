import { afterEach, expect, it, vi } from 'vitest';
import { askAhead, forgetAnswers, takeAnswer } from '../../lib/browser/asked-ahead.ts';
import { saveCredentials, signOut } from '../../lib/credentials.ts';
import { createQueryClient } from '../../lib/query-client.ts';
import { session } from '../../testing/fake-server.ts';
import { startAhead } from '../start-ahead.ts';
import { firstCalls } from './first-calls.ts';

afterEach(() => {
  signOut();
  forgetAnswers();
  vi.unstubAllGlobals();
});

/** What the console asks for at an address as soon as it runs. */
function asked(pathname: string, search: string): string[] {
  const send = vi.fn(async (_url: string, _init: RequestInit) => new Response('{"code":0,"data":{}}'));
  vi.stubGlobal('fetch', send);
  startAhead(createQueryClient(), { pathname, search });
  return send.mock.calls.map(([url, { method, body, headers }]) => {
    const isOpen = new Headers(headers).get('authorization') === null;
    return JSON.stringify([url, method, body, isOpen]);
  });
}

it.each([
  ['/en/routers-scenario', '?tab=overview'],
  ['/zh/routers-scenario', '?tab=forward'],
  ['/en/routers-scenario', '?tab=overview&popout=1'],
  ['/en/routers-settings', ''],
  ['/en/routers-components', ''],
  ['/en/routers-login', ''],
  ['/en/routers-popout', ''],
])('asks ahead for what the console asks for at %s%s', (pathname, search) => {
  for (const isSignedIn of [false, true]) {
    if (isSignedIn) saveCredentials(session);
    const calls = firstCalls({ pathname: `/mgmt${pathname}`, search, language: 'en', isSignedIn });
    const ahead = calls.map(({ path, body, isOpen = false }) =>
      JSON.stringify([path, body ? 'POST' : 'GET', body && JSON.stringify(body), isOpen || !isSignedIn]),
    );
    expect(ahead.toSorted()).toEqual(asked(pathname, search).toSorted());
  }
});

it('gives an answer to the very same call, of the same person, once', async () => {
  const send = vi.fn(async () => new Response('first'));
  vi.stubGlobal('fetch', send);
  const mine = { method: 'POST', body: '{}', headers: { authorization: 'Bearer mine' } };
  askAhead('/a', mine);
  expect(takeAnswer('/b', mine)).toBeUndefined();
  expect(takeAnswer('/a', { ...mine, body: '{"x":1}' })).toBeUndefined();
  expect(takeAnswer('/a', { ...mine, headers: { authorization: 'Bearer yours' } })).toBeUndefined();
  expect(await (await takeAnswer('/a', mine))?.text()).toBe('first');
  expect(takeAnswer('/a', mine)).toBeUndefined();
  askAhead('/a', mine);
  forgetAnswers();
  expect(takeAnswer('/a', mine)).toBeUndefined();
});
