import { VisuallyHidden } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { TabbedPage, type TabDefinition } from '../components/ui/tabbed-page.tsx';
import { lazyScreen } from '../lib/lazy.ts';

const tabs: readonly [TabDefinition, ...TabDefinition[]] = [
  {
    id: 'auth',
    title: 'settings.tabAuth',
    group: 'settings.groupAccess',
    panel: lazyScreen(async () => (await import('../features/auth/auth-tab.tsx')).AuthTab),
  },
  {
    id: 'beian',
    title: 'settings.tabFooter',
    group: 'settings.groupSite',
    panel: lazyScreen(async () => (await import('../features/branding/branding-tab.tsx')).BrandingTab),
  },
];

export function SettingsPage() {
  const { t } = useTranslation();
  return (
    <>
      <VisuallyHidden component="h1">{t('settings.title')}</VisuallyHidden>
      <TabbedPage tabs={tabs} />
    </>
  );
}
