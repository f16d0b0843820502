import { IconDeviceTv } from '../../components/ui/theme/icons.ts';
import type { Feature } from '../../lib/feature.ts';
import { lazyScreen } from '../../lib/lazy.ts';

export const vliveFeature: Feature = {
  texts: ['vlive'],
  tabs: [
    {
      page: 'scenario',
      id: 'vlive',
      title: 'vlive.tab',
      group: 'nav.groupFlows',
      purpose: 'nav.purpose.vlive',
      words: 'loop file playlist 循环 无人直播',
      icon: IconDeviceTv,
      panel: lazyScreen(async () => (await import('./vlive-tab.tsx')).VliveTab),
    },
  ],
};
