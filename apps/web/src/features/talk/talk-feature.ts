import type { Feature } from '../../lib/feature.ts';
import { lazyScreen } from '../../lib/lazy.ts';

export const talkFeature: Feature = {
  texts: ['talk'],
  screens: [
    { id: 'talk', isOpen: true, page: lazyScreen(async () => (await import('./talk-page.tsx')).TalkEntryPage) },
  ],
};
