import type { Feature } from '../../lib/feature.ts';
import { lazyScreen } from '../../lib/lazy.ts';

export const cloudFeature: Feature = {
  texts: ['cloud'],
  sections: [
    {
      tab: 'deprecated',
      id: 'dvr',
      title: 'others.dvr.title',
      help: 'others.dvr.help',
      panel: lazyScreen(async () => (await import('./cloud-panel.tsx')).DvrSection),
    },
    {
      tab: 'deprecated',
      id: 'vod',
      title: 'others.vod.title',
      help: 'others.vod.help',
      panel: lazyScreen(async () => (await import('./cloud-panel.tsx')).VodSection),
    },
  ],
};
