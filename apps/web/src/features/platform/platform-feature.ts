import { IconServer } from '../../components/ui/theme/icons.ts';
import type { Feature } from '../../lib/feature.ts';
import { lazyScreen } from '../../lib/lazy.ts';

export const platformFeature: Feature = {
  texts: ['platform'],
  tabs: [
    {
      page: 'settings',
      id: 'platform',
      title: 'platform.tab',
      group: 'nav.groupServer',
      purpose: 'nav.purpose.platform',
      words: 'upgrade edge load balancer homepage 升级 边缘 负载均衡',
      icon: IconServer,
      panel: lazyScreen(async () => (await import('./platform-tab.tsx')).PlatformTab),
    },
  ],
};
