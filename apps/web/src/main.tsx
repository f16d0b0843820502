import './components/ui/theme/mantine-styles.ts';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { BrowserRouter } from 'react-router';
import { Boot } from './app/boot.tsx';
import { Console } from './app/console.tsx';
import { Providers } from './app/providers.tsx';
import { startAhead } from './app/start-ahead.ts';
import { CrashBoundary } from './components/ui/feedback/crash-boundary.tsx';
import { startI18n } from './lib/i18n.ts';
import { createQueryClient } from './lib/query-client.ts';
import { isLocale, readLocale, saveLocale } from './lib/storage.ts';

/** The prefix the server answers this page under. */
const base = '/mgmt';

const element = document.getElementById('root');
if (!element) throw new Error('the page has no place for the console');

const named = window.location.pathname.slice(base.length).split('/')[1];
const locale = isLocale(named) ? named : readLocale();
saveLocale(locale);
const queries = createQueryClient();
const { pathname, search } = window.location;
startAhead(queries, { pathname: pathname.slice(base.length), search });
await startI18n(locale);

createRoot(element).render(
  <StrictMode>
    <CrashBoundary fallback={(error) => String(error)}>
      <Providers queries={queries}>
        <Boot>
          {/* Without transitions, storing a sign-in and leaving its page are one step. */}
          <BrowserRouter basename={base} useTransitions={false}>
            <Console />
          </BrowserRouter>
        </Boot>
      </Providers>
    </CrashBoundary>
  </StrictMode>,
);
