import { VisuallyHidden } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { TabbedPage } from '../components/ui/layout/tabbed-page.tsx';
import { useTabMarks } from '../features/system/overview/use-tab-marks.ts';
import { settingsTabs } from './screens.ts';

export function SettingsPage() {
  const { t } = useTranslation();
  const marks = useTabMarks('settings');
  return (
    <>
      <VisuallyHidden component="h1">{t('settings.title')}</VisuallyHidden>
      <TabbedPage tabs={settingsTabs} marks={marks} />
    </>
  );
}
