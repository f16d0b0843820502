import { notifications } from '@mantine/notifications';
import { cleanup, configure } from '@testing-library/react';
import i18next from 'i18next';
import React from 'react';
import { afterEach, beforeAll } from 'vitest';
import { consoleTexts } from '../app/console-texts.ts';
import { signOut } from '../lib/credentials.ts';
import { dismissError } from '../lib/errors/error-report.ts';
import { startI18n, switchLanguage } from '../lib/i18n.ts';

// React requires this flag before tests may drive updates.
Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });

// React records an owner stack per element for warnings that no test reads, a sixth of all CPU time. It stops after ten thousand per
// second, which this counter fakes.
const internals: object = Reflect.get(React, '__CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE');
Object.defineProperty(internals, 'recentlyCreatedOwnerStacks', {
  get: () => 10_000,
  set: () => undefined,
  configurable: true,
});

// jsdom has no layout, so observed elements would never become visible.
Reflect.deleteProperty(globalThis, 'IntersectionObserver');

// No style sheet is loaded that hides anything, but lookups by role ask for the style of each element and of all around it, and each inherited
// the five hundred variables of the theme.
Object.defineProperty(HTMLStyleElement.prototype, 'sheet', { get: () => null, configurable: true });

// Testing Library prints the whole page for each failed lookup, a twentieth of all CPU time, even where the output is discarded.
if (import.meta.env.DEBUG_PRINT_LIMIT === '0') configure({ getElementError: bareError });

// The first visit of a screen loads its code, which took more than twenty seconds on a busy machine.
configure({ asyncUtilTimeout: 120_000 });

beforeAll(() => startI18n('en', consoleTexts));

afterEach(async () => {
  cleanup();
  // Switched only if needed: every switch renders the page again and React warns about each part.
  if (i18next.language !== 'en') await switchLanguage('en');
  signOut();
  dismissError();
  // Notifications are limited in number: those of one test would hide the next one's.
  notifications.clean();
  localStorage.clear();
  sessionStorage.clear();
});

function bareError(message: string | null): Error {
  const error = Object.assign(new Error(message ?? ''), { name: 'TestingLibraryElementError' });
  // Makes the test's own line the first one in the stack.
  Error.captureStackTrace(error, bareError);
  return error;
}
