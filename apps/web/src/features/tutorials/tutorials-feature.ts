import { IconBook2 } from '../../components/ui/theme/icons.ts';
import type { Feature } from '../../lib/feature.ts';
import { lazyScreen } from '../../lib/lazy.ts';

export const tutorialsFeature: Feature = {
  texts: ['tutorials'],
  tabs: [
    {
      page: 'scenario',
      id: 'tutorials',
      title: 'tutorials.tab',
      purpose: 'tutorials.help',
      icon: IconBook2,
      panel: lazyScreen(async () => (await import('./tutorials-tab.tsx')).TutorialsTab),
    },
  ],
};
