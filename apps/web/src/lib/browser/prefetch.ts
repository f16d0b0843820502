// Entry of its own that runs before the console is loaded, so that its first API calls are under way meanwhile. On slow machines the
// console takes longer to start than the server to answer.
import { parseJson, readLanguage, readStorage, storageKeys } from './browser-storage.ts';
import { parseCredentials } from './parse-credentials.ts';
import { prefetchCall } from './prefetched-calls.ts';
import { listStartupCalls, openedPart } from './startup-calls.ts';
import { xsrfHeaders } from './xsrf.ts';

/** The build writes the file names of these parts into the page; the dev server does not. */
const attribute = 'data-parts';

function preloadParts(names: readonly string[]): void {
  const text = document.querySelector(`script[${attribute}]`)?.getAttribute(attribute);
  const parts: Record<string, readonly string[]> = JSON.parse(text ?? '{}');
  for (const href of names.flatMap((name) => parts[name] ?? [])) {
    const link = document.createElement('link');
    // Without their styles, parts of the page would wait for them once their code runs.
    if (href.endsWith('.css')) Object.assign(link, { rel: 'preload', as: 'style' });
    else link.rel = 'modulepreload';
    link.crossOrigin = '';
    link.href = href;
    document.head.append(link);
  }
}

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

const part = bearer && openedPart(pathname, new URLSearchParams(search));
preloadParts([pathname.split('/')[2] ?? language, ...(part ? [part] : [])]);
