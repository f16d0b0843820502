import { IconMicrophone } from '../../components/ui/theme/icons.ts';
import type { Feature } from '../../lib/feature.ts';
import { lazyScreen } from '../../lib/lazy.ts';

export const dubbingFeature: Feature = {
  texts: ['dubbing'],
  tabs: [
    {
      page: 'scenario',
      id: 'dubbing',
      title: 'dubbing.title',
      group: 'nav.groupAi',
      purpose: 'nav.purpose.dubbing',
      icon: IconMicrophone,
      panel: lazyScreen(async () => (await import('./dubbing-tab.tsx')).DubbingTab),
    },
  ],
};
