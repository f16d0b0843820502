// Runs by itself as soon as it is there, before the console has come and long before it runs: what the page asks the server for travels
// meanwhile. On a slow machine the console takes longer to run than the server to answer.

import { parseJson, readLanguage, readStorage, storageKeys } from '../../lib/browser/browser-storage.ts';
import { parseCredentials } from '../../lib/browser/parse-credentials.ts';
import { prefetchCall } from '../../lib/browser/prefetched-calls.ts';
import { xsrfHeaders } from '../../lib/browser/xsrf.ts';
import { preloadModules } from './preload-modules.ts';
import { isOverview, listStartupCalls } from './startup-calls.ts';

const { pathname, search } = window.location;
const bearer = parseCredentials(parseJson(readStorage(storageKeys.credentials)))?.bearer;
const language = String(readLanguage() ?? 'en');

for (const { path, body, isOpen } of listStartupCalls({ pathname, search, language, isSignedIn: !!bearer })) {
  prefetchCall(path, {
    method: body ? 'POST' : 'GET',
    ...(body && { body: JSON.stringify(body) }),
    headers: {
      accept: 'application/json, text/plain, */*',
      ...(body && { 'content-type': 'application/json' }),
      ...xsrfHeaders(),
      ...(bearer && !isOpen && { authorization: `Bearer ${bearer}` }),
    },
  });
}

const isShown = bearer && isOverview(pathname, new URLSearchParams(search));
preloadModules([pathname.split('/')[2] ?? language, ...(isShown ? ['overview'] : [])]);
