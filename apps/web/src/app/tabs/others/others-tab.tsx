import { TabbedPage, type TabDefinition } from '../../../components/ui/layout/tabbed-page.tsx';
import { lazyScreen } from '../../../lib/lazy.ts';

/** `srt`, `dvr` and `vod` open a section of one of the tabs. */
const childTabs: readonly [TabDefinition, ...TabDefinition[]] = [
  {
    id: 'other',
    title: 'others.other',
    group: 'others.tab',
    alsoFor: ['srt'],
    panel: lazyScreen(async () => (await import('./other-tab.tsx')).OtherTab),
  },
  {
    id: 'deprecated',
    title: 'others.deprecated',
    group: 'others.tab',
    alsoFor: ['dvr', 'vod'],
    panel: lazyScreen(async () => (await import('./deprecated-tab.tsx')).DeprecatedTab),
  },
];

export function OthersTab() {
  return <TabbedPage tabs={childTabs} parameter="ctab" within="others" />;
}
