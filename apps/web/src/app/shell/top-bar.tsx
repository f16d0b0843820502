import { ActionIcon } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Suspense, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { StaleChip } from '../../components/ui/feedback/stale-chip.tsx';
import { StatusLabel } from '../../components/ui/feedback/status-label.tsx';
import { BrandMark } from '../../components/ui/theme/brand-mark.tsx';
import { IconMenu2 } from '../../components/ui/theme/icons.ts';
import { ThemeButton } from '../../components/ui/theme/theme-button.tsx';
import { useSiteTitle } from '../../features/branding/branding-queries.ts';
import { isSignInEnded } from '../../lib/api.ts';
import { lazyScreen } from '../../lib/lazy.ts';
import { endedSession, paths, useLocalPath } from '../../lib/paths.ts';
import { statusQuery } from '../../lib/queries/system-queries.ts';
import { PaletteButton } from '../palette/palette-button.tsx';
import { LanguageButton } from './language-button.tsx';
import { NavLinks } from './nav-links.tsx';
import classes from './top-bar.module.css';

/** Loaded on demand: only phones and narrow windows show it. */
const drawer = lazyScreen(async () => (await import('./nav-drawer.tsx')).NavDrawer);

export function TopBar({ isSignedIn }: { isSignedIn: boolean }) {
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
    <header className={classes.bar}>
      <ActionIcon
        className={classes.narrow}
        variant="subtle"
        color="gray"
        size={40}
        aria-label={t('shell.menu')}
        aria-expanded={isOpen}
        onClick={open}
      >
        <IconMenu2 size={20} aria-hidden />
      </ActionIcon>
      <div className={classes.brand}>
        <BrandMark />
        <span className={classes.title}>{title}</span>
      </div>
      {isSignedIn && (
        <nav aria-label={t('shell.main')} className={classes.wide}>
          <NavLinks />
        </nav>
      )}
      <div className={classes.tools}>
        {isSignedIn && <PaletteButton />}
        {isSignedIn && <ConnectionState />}
        <div className={classes.wide}>
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
    <div role="status" className={classes.state}>
      {isSignInEnded(status.error) ? (
        <Link to={localPath(paths.logout)} state={endedSession} className={classes.link}>
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
