import { ActionIcon, Anchor, Button, CloseButton, Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { product } from '@weir/contract';
import { type ReactNode, Suspense, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useLocation } from 'react-router';
import { formatBitrate, formatNumber, formatPercent } from '../../components/figures/format-figures.ts';
import { streamsQuery } from '../../components/streams/streams-queries.ts';
import { ErrorDetails } from '../../components/ui/feedback/error-details.tsx';
import { StaleChip } from '../../components/ui/feedback/stale-chip.tsx';
import { StatusLabel } from '../../components/ui/feedback/status-label.tsx';
import { BrandMark } from '../../components/ui/theme/brand-mark.tsx';
import { IconCircleX, IconMenu2 } from '../../components/ui/theme/icons.ts';
import { ThemeButton } from '../../components/ui/theme/theme-button.tsx';
import { SignInDialog } from '../../features/auth/sign-in-dialog.tsx';
import { brandingQuery, useSiteTitle } from '../../features/branding/branding-queries.ts';
import { useServerState } from '../../features/system/overview/use-server-state.ts';
import { isSignInEnded } from '../../lib/api.ts';
import { useCredentials } from '../../lib/credentials.ts';
import { docsAddressOf } from '../../lib/docs-address.ts';
import { dismissError, useReportedError } from '../../lib/errors/error-report.ts';
import { formatBytes } from '../../lib/format.ts';
import { useLocale } from '../../lib/i18n.ts';
import { lazyScreen } from '../../lib/lazy.ts';
import { endedSession, paths, useLocalPath } from '../../lib/paths.ts';
import { serverNowQuery, statusQuery, versionQuery } from '../../lib/queries/system-queries.ts';
import { PaletteButton } from '../palette/palette-button.tsx';
import { LanguageButton } from './language-button.tsx';
import { NavLinks } from './nav-links.tsx';
import classes from './shell.module.css';
import bar from './top-bar.module.css';

/** Chinese law requires sites to link their registration number to this site. */
const registry = 'https://beian.miit.gov.cn';

function SiteFooter() {
  const { t } = useTranslation();
  const version = useQuery(versionQuery).data?.version;
  const icp = useQuery(brandingQuery).data?.icp;
  return (
    <footer className={classes.footer}>
      <span>
        {product.name} {version}
      </span>
      <a href={docsAddressOf(useLocation(), useLocale())} target="_blank" rel="noopener">
        {t('shell.docs')}
      </a>
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

/** Shows the last error above the page and leaves the page untouched. */
function ErrorBanner() {
  const { t } = useTranslation();
  const localPath = useLocalPath();
  const reported = useReportedError();
  const [isSigningIn, setIsSigningIn] = useState(false);
  const hasEnded = isSignInEnded(reported?.error);
  return (
    <>
      <div role="alert" className={reported ? classes.banner : undefined}>
        {reported && (
          <>
            <IconCircleX size={20} aria-hidden className={classes.icon} />
            <div className={classes.body}>
              <strong className={classes.title}>{t('errs.title')}</strong>
              <ErrorDetails
                error={reported.error}
                signInLink={
                  <Anchor component={Link} to={localPath(paths.logout)} state={endedSession} inherit>
                    {t('errs.expiredLink')}
                  </Anchor>
                }
              />
              {hasEnded && <p className={classes.next}>{t('errs.expiredHere')}</p>}
              <Group gap="xs" mt="sm">
                {hasEnded && (
                  <Button size="xs" onClick={() => setIsSigningIn(true)}>
                    {t('errs.signInHere')}
                  </Button>
                )}
                <Button size="xs" variant="default" onClick={dismissError}>
                  {t('errs.ok')}
                </Button>
              </Group>
            </div>
            <CloseButton aria-label={t('errs.dismiss')} onClick={dismissError} />
          </>
        )}
      </div>
      <SignInDialog opened={isSigningIn} onClose={() => setIsSigningIn(false)} />
    </>
  );
}

/** Number on the icon of the installed console. */
function useAppBadge(count: number): void {
  useEffect(() => {
    // Missing in browsers that install nothing, and refused where the console is not installed.
    if ('setAppBadge' in navigator) navigator.setAppBadge(count).catch(() => undefined);
  }, [count]);
}

/** Status bar at the bottom of every page. Each entry links to its details. */
function StatusStrip() {
  const { t } = useTranslation();
  const locale = useLocale();
  const localPath = useLocalPath();
  const { status: data, tone, word, issues } = useServerState();
  const figures = useFigures();
  useAppBadge(data && data.steps?.published !== false ? data.alerts.length + issues.alarms.length : 0);
  if (!data) return <aside className={classes.strip} aria-label={t('shell.now')} />;

  const to = (anchor: string) => localPath(`${paths.scenario}?tab=overview#${anchor}`);
  const wrong = [...data.alerts, ...issues.alarms];
  const alerts = wrong.length;
  // Before the first stream, problems of a new installation are not shown in red.
  const isUsed = data.steps?.published !== false;
  const worst = isUsed && wrong.some(({ severity }) => severity === 'bad') ? 'bad' : 'warn';
  const isHealthy = data.health.engine.ok && data.health.store.ok;
  const disk = t('shell.diskLeft', { size: formatBytes(data.health.disk.freeBytes, locale) });
  return (
    <aside className={classes.strip} aria-label={t('shell.now')}>
      <Link to={to('server')} className={classes.entry}>
        <StatusLabel tone={tone === 'bad' && !isUsed && isHealthy ? 'warn' : tone} word={word} />
      </Link>
      {figures.map(({ key, anchor, text }) => (
        <Link key={key} to={to(anchor)} className={classes.entry}>
          {text}
        </Link>
      ))}
      <Link to={to('parts')} className={classes.entry}>
        {data.health.disk.ok ? disk : <StatusLabel tone="warn" word={disk} />}
      </Link>
      <Link to={to('alerts')} className={classes.entry}>
        {alerts === 0 ? t('shell.noAlerts') : <StatusLabel tone={worst} word={t('shell.alerts', { number: alerts })} />}
      </Link>
    </aside>
  );
}

/** Unknown values are omitted instead of shown as zero. */
function useFigures(): readonly { key: string; anchor: string; text: string }[] {
  const { t } = useTranslation();
  const locale = useLocale();
  const live = useQuery(streamsQuery);
  const now = useQuery(serverNowQuery);
  const streams = live.failureCount === 0 ? live.data?.streams : undefined;
  const values = now.failureCount === 0 ? now.data?.values : undefined;
  const rate = (kbps: number | null | undefined) => formatBitrate(kbps ?? undefined, locale);
  const [rateIn, rateOut] = [rate(values?.inKbps), rate(values?.outKbps)];
  const cpu = formatPercent(values?.cpu == null ? undefined : values.cpu * 100, locale, 0);
  const viewers = streams?.reduce((sum, { media }) => sum + (media?.viewers ?? 0), 0);
  return [
    { key: 'live', anchor: 'live', text: streams && t('shell.live', { number: streams.length }) },
    {
      key: 'viewers',
      anchor: 'live',
      text: viewers === undefined ? undefined : t('shell.viewers', { number: formatNumber(viewers, locale) }),
    },
    { key: 'in', anchor: 'server', text: rateIn && t('shell.in', { rate: rateIn }) },
    { key: 'out', anchor: 'server', text: rateOut && t('shell.out', { rate: rateOut }) },
    { key: 'cpu', anchor: 'server', text: cpu && t('shell.cpu', { share: cpu }) },
  ].flatMap(({ text, ...entry }) => (text ? [{ ...entry, text }] : []));
}

/** Loaded on demand: only phones and narrow windows show it. */
const drawer = lazyScreen(async () => (await import('./nav-drawer.tsx')).NavDrawer);

function TopBar({ isSignedIn }: { isSignedIn: boolean }) {
  const { t } = useTranslation();
  const title = useSiteTitle();
  const [isOpen, setIsOpen] = useState(false);
  const [wasOpened, setWasOpened] = useState(false);
  // Preloaded, so that the menu opens even while the server restarts.
  useEffect(() => void drawer.preload(), []);
  const open = () => {
    setWasOpened(true);
    setIsOpen(true);
  };
  return (
    <header className={bar.bar}>
      <ActionIcon
        className={bar.narrow}
        variant="subtle"
        color="gray"
        size={40}
        aria-label={t('shell.menu')}
        aria-expanded={isOpen}
        onClick={open}
      >
        <IconMenu2 size={20} aria-hidden />
      </ActionIcon>
      <div className={bar.brand}>
        <BrandMark />
        <span className={bar.title}>{title}</span>
      </div>
      {isSignedIn && (
        <nav aria-label={t('shell.main')} className={bar.wide}>
          <NavLinks />
        </nav>
      )}
      <div className={bar.tools}>
        {isSignedIn && <PaletteButton />}
        {isSignedIn && <ConnectionState />}
        <div className={bar.wide}>
          <LanguageButton />
          <ThemeButton />
        </div>
      </div>
      {wasOpened && (
        <Suspense>
          <drawer.Component isOpen={isOpen} isSignedIn={isSignedIn} onClose={() => setIsOpen(false)} />
        </Suspense>
      )}
    </header>
  );
}

/** Tells screen readers about a lost or restored connection without interrupting them. */
function ConnectionState() {
  const { t } = useTranslation();
  const localPath = useLocalPath();
  const status = useQuery(statusQuery);
  return (
    <div role="status" className={bar.state}>
      {isSignInEnded(status.error) ? (
        <Link to={localPath(paths.logout)} state={endedSession} className={bar.link}>
          <StatusLabel tone="bad" word={t('shell.signInEnded')} tinted />
        </Link>
      ) : status.failureCount > 0 ? (
        <StaleChip {...status} />
      ) : status.data ? (
        <StatusLabel tone="ok" word={t('shell.connected')} />
      ) : (
        <StatusLabel tone="busy" word={t('shell.connecting')} />
      )}
    </div>
  );
}
