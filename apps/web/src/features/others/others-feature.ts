import { IconDots } from '../../components/ui/theme/icons.ts';
import type { Feature } from '../../lib/feature.ts';
import { lazyScreen } from '../../lib/lazy.ts';

export const othersFeature: Feature = {
  texts: ['others'],
  tabs: [
    {
      page: 'scenario',
      id: 'others',
      title: 'others.tab',
      purpose: 'nav.purpose.others',
      icon: IconDots,
      panel: lazyScreen(async () => (await import('./others-tab.tsx')).OthersTab),
    },
  ],
};
