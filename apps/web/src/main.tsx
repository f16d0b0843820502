// Imported first: its requests are under way while the browser runs the rest.
import { base, queries } from './app/startup.ts';
import './components/ui/theme/mantine-styles.ts';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { BrowserRouter } from 'react-router';
import { Boot } from './app/boot.tsx';
import { Console } from './app/console.tsx';
import { consoleTexts } from './app/console-texts.ts';
import { Providers } from './app/providers.tsx';
import { CrashBoundary } from './components/ui/feedback/crash-boundary.tsx';
import { startI18n } from './lib/i18n.ts';
import { isLocale, readLocale, saveLocale } from './lib/storage.ts';

const element = document.getElementById('root');
if (!element) throw new Error('the page has no place for the console');

const named = window.location.pathname.slice(base.length).split('/')[1];
const locale = isLocale(named) ? named : readLocale();
saveLocale(locale);
await startI18n(locale, consoleTexts);

createRoot(element).render(
  <StrictMode>
    <CrashBoundary fallback={(error) => String(error)}>
      <Providers queries={queries}>
        <Boot>
          {/* Without transitions, storing a sign-in and leaving the page happen in one render. */}
          <BrowserRouter basename={base} useTransitions={false}>
            <Console />
          </BrowserRouter>
        </Boot>
      </Providers>
    </CrashBoundary>
  </StrictMode>,
);
