import { Drawer, Stack } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { ThemeSwitch } from '../../components/ui/theme/theme-switch.tsx';
import { useSiteTitle } from '../../features/branding/branding-queries.ts';
import { LanguageSwitch } from './language-switch.tsx';
import { NavLinks } from './nav-links.tsx';

interface NavDrawerProps {
  isOpen: boolean;
  isSignedIn: boolean;
  onClose: () => void;
}

/** Links and switches for windows too narrow for the top bar. */
export function NavDrawer({ isOpen, isSignedIn, onClose }: NavDrawerProps) {
  const { t } = useTranslation();
  const title = useSiteTitle();
  return (
    <Drawer
      opened={isOpen}
      onClose={onClose}
      position="right"
      size={300}
      title={title}
      transitionProps={{ duration: 150 }}
      closeButtonProps={{ 'aria-label': t('errs.dismiss') }}
    >
      <Stack gap="lg">
        {isSignedIn && (
          <nav aria-label={t('shell.main')}>
            <NavLinks onFollow={onClose} isStacked />
          </nav>
        )}
        <LanguageSwitch />
        <ThemeSwitch />
      </Stack>
    </Drawer>
  );
}
