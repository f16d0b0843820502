import { notifications } from '@mantine/notifications';
import { cleanup, configure } from '@testing-library/react';
import { afterEach, beforeAll } from 'vitest';
import { signOut } from '../lib/credentials.ts';
import { dismissError } from '../lib/errors/error-report.ts';
import { startI18n } from '../lib/i18n.ts';

// React checks this before it lets a test drive updates.
Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });

// The first visit of a screen loads its code; beside other work that has taken more than twenty seconds.
configure({ asyncUtilTimeout: 50_000 });

beforeAll(() => startI18n('en'));

afterEach(() => {
  cleanup();
  signOut();
  dismissError();
  // Only so many show at once: those of one test would hide those of the next.
  notifications.clean();
  localStorage.clear();
  sessionStorage.clear();
});
