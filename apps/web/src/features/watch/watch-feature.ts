import type { Feature } from '../../lib/feature.ts';
import { lazyScreen } from '../../lib/lazy.ts';

export const watchFeature: Feature = {
  texts: ['watchPage'],
  parts: { shareSection: lazyScreen(async () => (await import('./watch-section.tsx')).WatchSection) },
};
