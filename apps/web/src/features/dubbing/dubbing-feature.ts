import { IconLanguage } from '../../components/ui/theme/icons.ts';
import type { Feature } from '../../lib/feature.ts';
import { lazyScreen } from '../../lib/lazy.ts';

export const dubbingFeature: Feature = {
  texts: ['dubbing'],
  tabs: [
    {
      page: 'scenario',
      id: 'dubbing',
      title: 'dubbing.title',
      group: 'transcode.group',
      icon: IconLanguage,
      panel: lazyScreen(async () => (await import('./dubbing-tab.tsx')).DubbingTab),
    },
  ],
};
