import { IconArrowFork } from '../../components/ui/theme/icons.ts';
import type { Feature } from '../../lib/feature.ts';
import { lazyScreen } from '../../lib/lazy.ts';

export const forwardFeature: Feature = {
  texts: ['forward'],
  tabs: [
    {
      page: 'scenario',
      id: 'forward',
      title: 'forward.tab',
      group: 'nav.groupFlows',
      purpose: 'nav.purpose.forward',
      words: 'restream simulcast destination youtube twitch 转播 多平台',
      icon: IconArrowFork,
      panel: lazyScreen(async () => (await import('./forward-tab.tsx')).ForwardTab),
    },
  ],
  palette: { load: async () => (await import('./forward-palette.ts')).useForwardPalette },
  parts: {
    streamAction: lazyScreen(async () => (await import('./forward-stream-parts.tsx')).ForwardAction),
    streamFeed: lazyScreen(async () => (await import('./forward-stream-parts.tsx')).ForwardFeed),
  },
};
