import { IconSparkles } from '../../components/ui/theme/icons.ts';
import type { Feature } from '../../lib/feature.ts';
import { lazyScreen } from '../../lib/lazy.ts';

/** First page of a new server. Its tab disappears with the last step. */
export const startFeature: Feature = {
  texts: ['start'],
  tabs: [
    {
      page: 'scenario',
      id: 'start',
      title: 'start.title',
      group: 'nav.groupLive',
      purpose: 'start.help',
      icon: IconSparkles,
      panel: lazyScreen(async () => (await import('./start-tab.tsx')).StartTab),
    },
  ],
};
