import { IconAccessPoint } from '../../components/ui/theme/icons.ts';
import type { Feature } from '../../lib/feature.ts';
import { lazyScreen } from '../../lib/lazy.ts';

export const streamsFeature: Feature = {
  texts: ['streamPage'],
  tabs: [
    {
      page: 'settings',
      id: 'streams',
      title: 'settings.tabStreams',
      group: 'nav.groupStreams',
      purpose: 'settings.activeStreamsHelp',
      icon: IconAccessPoint,
      panel: lazyScreen(async () => (await import('./streams-tab.tsx')).StreamsTab),
    },
  ],
  palette: { load: async () => (await import('./streams-palette.ts')).useStreamsPalette },
  parts: { streamPage: lazyScreen(async () => (await import('./page/stream-page.tsx')).StreamPage) },
};
