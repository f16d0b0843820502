import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useCredentials } from '../../lib/credentials.ts';
import { ErrorBanner } from './error-banner.tsx';
import classes from './shell.module.css';
import { SiteFooter } from './site-footer.tsx';
import { StatusStrip } from './status-strip.tsx';
import { TopBar } from './top-bar.tsx';

/** What stands around every page: top bar, the failure to tell about, footer, and the strip that says how it is. */
export function Shell({ isInitialised, children }: { isInitialised: boolean; children: ReactNode }) {
  const { t } = useTranslation();
  const isSignedIn = useCredentials() !== undefined && isInitialised;
  return (
    <div className={classes.shell}>
      <a href="#content" className={classes.skip}>
        {t('shell.skip')}
      </a>
      <TopBar isSignedIn={isSignedIn} />
      <main id="content" tabIndex={-1} className={classes.main}>
        <ErrorBanner />
        {children}
      </main>
      <SiteFooter />
      {isSignedIn && <StatusStrip />}
    </div>
  );
}

/** The same tokens without the frame, for windows of their own. */
export function BareShell({ children }: { children: ReactNode }) {
  return (
    <main className={classes.main}>
      <ErrorBanner />
      {children}
    </main>
  );
}
