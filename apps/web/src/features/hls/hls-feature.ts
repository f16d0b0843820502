import { IconPlaylist } from '../../components/ui/theme/icons.ts';
import type { Feature } from '../../lib/feature.ts';
import { lazyScreen } from '../../lib/lazy.ts';

export const hlsFeature: Feature = {
  texts: ['settings'],
  tabs: [
    {
      page: 'settings',
      id: 'hls',
      title: 'settings.tabHls',
      group: 'nav.groupStreams',
      purpose: 'nav.purpose.hls',
      words: 'latency delay segment m3u8 延迟 切片',
      icon: IconPlaylist,
      panel: lazyScreen(async () => (await import('./hls-tab.tsx')).HlsTab),
    },
  ],
  parts: { streamFeed: lazyScreen(async () => (await import('./hls-feed.tsx')).HlsFeed) },
};
