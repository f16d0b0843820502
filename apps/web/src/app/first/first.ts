// Runs by itself as soon as it is there, before the console has come and long before it runs: what the page asks the server for travels
// meanwhile. On a slow machine the console takes longer to run than the server to answer.

import { askAhead } from '../../lib/browser/asked-ahead.ts';
import { parseJson, read, readLanguage, storageKeys } from '../../lib/browser/browser-storage.ts';
import { parseCredentials } from '../../lib/browser/sign-in.ts';
import { xsrfHeaders } from '../../lib/browser/xsrf.ts';
import { firstCalls, isOverview } from './first-calls.ts';
import { loadAhead } from './load-ahead.ts';

const { pathname, search } = window.location;
const bearer = parseCredentials(parseJson(read(storageKeys.credentials)))?.bearer;
const language = String(readLanguage() ?? 'en');

for (const { path, body, isOpen } of firstCalls({ pathname, search, language, isSignedIn: !!bearer })) {
  askAhead(path, {
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
loadAhead([pathname.split('/')[2] ?? language, ...(isShown ? ['overview'] : [])]);
