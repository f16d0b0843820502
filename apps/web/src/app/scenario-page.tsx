import { VisuallyHidden } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { TabbedPage } from '../components/ui/tabbed-page.tsx';
import { useTabMarks } from '../features/system/use-tab-marks.ts';
import { absentScenarioTabs, scenarioTabs } from './tabs.ts';
import { useHashTarget } from './use-hash-target.ts';

export function ScenarioPage() {
  const { t } = useTranslation();
  useHashTarget();
  const marks = useTabMarks('scenario');
  return (
    <>
      <VisuallyHidden component="h1">{t('nav.scenario')}</VisuallyHidden>
      <TabbedPage tabs={scenarioTabs} absent={absentScenarioTabs} initial="tutorials" marks={marks} />
    </>
  );
}
