import type { Feature } from '../../lib/feature.ts';
import { lazyScreen } from '../../lib/lazy.ts';

export const contactFeature: Feature = {
  texts: ['contact'],
  screens: [
    {
      id: 'contact',
      title: 'nav.contact',
      words: 'contact',
      isKept: true,
      page: lazyScreen(async () => (await import('./contact-page.tsx')).ContactPage),
    },
  ],
};
