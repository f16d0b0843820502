import { useQuery } from '@tanstack/react-query';
import { product } from '@weir/contract';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { brandingQuery } from '../../features/branding/branding-queries.ts';
import { useCredentials } from '../../lib/credentials.ts';
import { versionQuery } from '../../lib/queries/system-queries.ts';
import { ErrorBanner } from './error-banner.tsx';
import classes from './shell.module.css';
import { StatusStrip } from './status-strip.tsx';
import { TopBar } from './top-bar.tsx';

/** Chinese law requires sites to link their registration number to this site. */
const registry = 'https://beian.miit.gov.cn';

function SiteFooter() {
  const version = useQuery(versionQuery).data?.version;
  const icp = useQuery(brandingQuery).data?.icp;
  return (
    <footer className={classes.footer}>
      <span>
        {product.name} {version}
      </span>
      {icp && (
        <a href={registry} target="_blank" rel="noopener noreferrer">
          {icp}
        </a>
      )}
    </footer>
  );
}

interface ShellProps {
  isInitialised: boolean;
  /** The page has its tabs at the left. */
  hasSidebar: boolean;
  children: ReactNode;
}

/** Frame of every page: top bar, error banner, footer and status bar. */
export function Shell({ isInitialised, hasSidebar, children }: ShellProps) {
  const { t } = useTranslation();
  const isSignedIn = useCredentials() !== undefined && isInitialised;
  return (
    <div className={classes.shell} data-sidebar={hasSidebar || undefined}>
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

/** Page without the frame, for pop-out windows. */
export function BareShell({ children }: { children: ReactNode }) {
  return (
    <main className={classes.main}>
      <ErrorBanner />
      {children}
    </main>
  );
}
