import { IconShare3 } from '../../components/ui/theme/icons.ts';
import type { Feature } from '../../lib/feature.ts';
import { lazyScreen } from '../../lib/lazy.ts';

export const forwardFeature: Feature = {
  texts: ['forward'],
  tabs: [
    {
      page: 'scenario',
      id: 'forward',
      title: 'forward.tab',
      group: 'plat.groupDestinations',
      icon: IconShare3,
      panel: lazyScreen(async () => (await import('./forward-tab.tsx')).ForwardTab),
    },
  ],
  palette: { load: async () => (await import('./forward-palette.ts')).useForwardPalette },
  parts: { streamFeed: lazyScreen(async () => (await import('./forward-feed.tsx')).ForwardFeed) },
};
