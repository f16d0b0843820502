import { VisuallyHidden } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { TabbedPage, type TabDefinition } from '../components/ui/tabbed-page.tsx';
import { lazyScreen } from '../lib/lazy.ts';
import { useHashTarget } from './use-hash-target.ts';

const tabs: readonly [TabDefinition, ...TabDefinition[]] = [
  {
    id: 'overview',
    title: 'overview.title',
    group: 'nav.scenario',
    panel: lazyScreen(async () => (await import('../features/system/overview-tab.tsx')).OverviewTab),
  },
];

export function ScenarioPage() {
  const { t } = useTranslation();
  useHashTarget();
  return (
    <>
      <VisuallyHidden component="h1">{t('nav.scenario')}</VisuallyHidden>
      <TabbedPage tabs={tabs} />
    </>
  );
}
