import type { Feature } from '../../lib/feature.ts';
import { lazyScreen } from '../../lib/lazy.ts';

export const publishAuthFeature: Feature = {
  texts: ['settings', 'live'],
  parts: { accessPanels: lazyScreen(async () => (await import('./publish-auth-panels.tsx')).PublishAuthPanels) },
};
