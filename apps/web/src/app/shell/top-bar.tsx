import { ActionIcon } from '@mantine/core';
import { Suspense, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { BrandMark } from '../../components/ui/theme/brand-mark.tsx';
import { IconMenu2 } from '../../components/ui/theme/icons.ts';
import { ThemeSwitch } from '../../components/ui/theme/theme-switch.tsx';
import { useSiteTitle } from '../../features/branding/branding-queries.ts';
import { lazyScreen } from '../../lib/lazy.ts';
import { PaletteButton } from '../palette/palette-button.tsx';
import { ConnectionState } from './connection-state.tsx';
import { LanguageSwitch } from './language-switch.tsx';
import { NavLinks } from './nav-links.tsx';
import classes from './top-bar.module.css';

/** Only phones and narrow windows need it. */
const drawer = lazyScreen(async () => (await import('./nav-drawer.tsx')).NavDrawer);

export function TopBar({ isSignedIn }: { isSignedIn: boolean }) {
  const { t } = useTranslation();
  const title = useSiteTitle();
  const [isOpen, setIsOpen] = useState(false);
  const [wasOpened, setWasOpened] = useState(false);
  // The menu has to open even while the server restarts.
  useEffect(() => void drawer.preload(), []);
  const open = () => {
    setWasOpened(true);
    setIsOpen(true);
  };
  return (
    <header className={classes.bar}>
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
          <LanguageSwitch />
          <ThemeSwitch />
        </div>
        <ActionIcon
          className={classes.narrow}
          variant="default"
          size="lg"
          aria-label={t('shell.menu')}
          aria-expanded={isOpen}
          onClick={open}
        >
          <IconMenu2 size={20} aria-hidden />
        </ActionIcon>
      </div>
      {wasOpened && (
        <Suspense>
          <drawer.Component isOpen={isOpen} isSignedIn={isSignedIn} onClose={() => setIsOpen(false)} />
        </Suspense>
      )}
    </header>
  );
}
