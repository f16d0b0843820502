import { IconGauge } from '../../components/ui/theme/icons.ts';
import type { Feature } from '../../lib/feature.ts';
import { lazyScreen } from '../../lib/lazy.ts';

export const limitsFeature: Feature = {
  texts: ['settings'],
  tabs: [
    {
      page: 'settings',
      id: 'limits',
      title: 'settings.tabLimits',
      group: 'nav.groupStreams',
      purpose: 'nav.purpose.limits',
      words: 'bitrate quota 码率 限额',
      icon: IconGauge,
      panel: lazyScreen(async () => (await import('./limits-tab.tsx')).LimitsTab),
    },
  ],
};
