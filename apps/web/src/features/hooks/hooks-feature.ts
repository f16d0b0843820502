import { IconWebhook } from '../../components/ui/theme/icons.ts';
import type { Feature } from '../../lib/feature.ts';
import { lazyScreen } from '../../lib/lazy.ts';

export const hooksFeature: Feature = {
  texts: ['hooks'],
  tabs: [
    {
      page: 'settings',
      id: 'callback',
      title: 'hooks.tab',
      group: 'nav.groupStreams',
      purpose: 'nav.purpose.callback',
      words: 'webhook http 通知',
      icon: IconWebhook,
      panel: lazyScreen(async () => (await import('./hooks-tab.tsx')).HooksTab),
    },
  ],
};
