import { VisuallyHidden } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { PageSkeleton } from '../components/ui/feedback/page-skeleton.tsx';
import { TabbedPage } from '../components/ui/layout/tabbed-page.tsx';
import { useTabMarks } from '../features/system/overview/use-tab-marks.ts';
import { scenarioTabs } from './tabs/tabs.ts';
import { useHashTarget } from './use-hash-target.ts';
import { useInitialTab } from './use-initial-tab.ts';

export function ScenarioPage() {
  const { t } = useTranslation();
  const [query] = useSearchParams();
  useHashTarget();
  const marks = useTabMarks('scenario');
  const landing = useInitialTab();
  if (landing === undefined && !query.has('tab')) return <PageSkeleton />;
  return (
    <>
      <VisuallyHidden component="h1">{t('nav.scenario')}</VisuallyHidden>
      <TabbedPage tabs={scenarioTabs} initial={landing ?? 'tutorials'} marks={marks} />
    </>
  );
}
