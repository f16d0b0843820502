import { overviewQuery } from '../../components/streams/overview-query.ts';
import { IconLayoutDashboard } from '../../components/ui/theme/icons.ts';
import type { Feature } from '../../lib/feature.ts';
import { lazyScreen } from '../../lib/lazy.ts';
import { paths } from '../../lib/paths.ts';

export const systemFeature: Feature = {
  texts: ['coms', 'overview'],
  screens: [
    {
      id: 'components',
      title: 'nav.component',
      words: 'components server disk process storage 服务器 磁盘 进程 存储',
      isKept: true,
      page: lazyScreen(async () => (await import('./components/components-page.tsx')).ComponentsPage),
    },
  ],
  tabs: [
    {
      page: 'scenario',
      id: 'overview',
      title: 'overview.title',
      group: 'nav.groupLive',
      purpose: 'nav.purpose.overview',
      icon: IconLayoutDashboard,
      panel: lazyScreen(async () => (await import('./overview/overview-tab.tsx')).OverviewTab),
      slots: ['streamBadge'],
      prefetch: (queries) => void queries.prefetchQuery(overviewQuery),
    },
  ],
  palette: {
    links: [{ to: `${paths.scenario}?tab=overview#broadcasts`, title: 'timeline.broadcasts', words: 'broadcasts' }],
  },
};
