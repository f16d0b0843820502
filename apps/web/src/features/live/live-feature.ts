import { IconBroadcast } from '../../components/ui/theme/icons.ts';
import type { Feature } from '../../lib/feature.ts';
import { lazyScreen } from '../../lib/lazy.ts';
import { publishAuthQuery } from '../../lib/queries/publish-auth-queries.ts';

export const liveFeature: Feature = {
  texts: ['live'],
  tabs: [
    {
      page: 'scenario',
      id: 'live',
      title: 'live.tab',
      group: 'nav.groupLive',
      purpose: 'nav.purpose.live',
      words: 'obs encoder rtmp srt whip 推流 推流码 开播',
      icon: IconBroadcast,
      panel: lazyScreen(async () => (await import('./live-tab.tsx')).LiveTab),
      prefetch: (queries) => void queries.prefetchQuery(publishAuthQuery),
      slots: ['streamPage', 'streamAction', 'watchLink', 'streamInputs', 'streamBadge', 'streamFeed'],
    },
  ],
  palette: { load: async () => (await import('./live-palette.ts')).useLivePalette },
};
