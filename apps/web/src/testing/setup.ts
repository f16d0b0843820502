import { notifications } from '@mantine/notifications';
import { cleanup, configure } from '@testing-library/react';
import i18next from 'i18next';
import React from 'react';
import { afterEach, beforeAll } from 'vitest';
import { signOut } from '../lib/credentials.ts';
import { dismissError } from '../lib/errors/error-report.ts';
import { startI18n, switchLanguage } from '../lib/i18n.ts';

// React checks this before it lets a test drive updates.
Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });

// React notes a stack for each element it makes, for warnings that nobody reads here: a sixth of all the work. It stops at ten
// thousand a second, and this is its count.
const internals: object = Reflect.get(React, '__CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE');
Object.defineProperty(internals, 'recentlyCreatedOwnerStacks', {
  get: () => 10_000,
  set: () => undefined,
  configurable: true,
});

// Nothing has a place on a page without a layout, and would never come into view.
Reflect.deleteProperty(globalThis, 'IntersectionObserver');

// What is looked for and not there yet would print the page each time, a twentieth of all the work, also where none of it is shown.
if (import.meta.env.DEBUG_PRINT_LIMIT === '0') configure({ getElementError: bareError });

// The first visit of a screen loads its code; beside other work that has taken more than twenty seconds.
configure({ asyncUtilTimeout: 50_000 });

beforeAll(() => startI18n('en'));

afterEach(async () => {
  cleanup();
  // Not before: the page would be drawn once more, and React would warn of every part of it.
  if (i18next.language !== 'en') await switchLanguage('en');
  signOut();
  dismissError();
  // Only so many show at once: those of one test would hide those of the next.
  notifications.clean();
  localStorage.clear();
  sessionStorage.clear();
});

function bareError(message: string | null): Error {
  const error = Object.assign(new Error(message ?? ''), { name: 'TestingLibraryElementError' });
  // The first line of ours that it names is the test's.
  Error.captureStackTrace(error, bareError);
  return error;
}
