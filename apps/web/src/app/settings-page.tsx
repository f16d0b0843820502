import { TabbedPage } from '../components/ui/layout/tabbed-page.tsx';
import { useTabMarks } from '../features/system/overview/use-tab-marks.ts';
import { settingsTabs } from './screens.ts';

export function SettingsPage() {
  return <TabbedPage tabs={settingsTabs} marks={useTabMarks('settings')} />;
}
