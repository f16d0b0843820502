import type { Feature } from '../../lib/feature.ts';
import { lazyScreen } from '../../lib/lazy.ts';

export const srtTutorialFeature: Feature = {
  texts: ['srtTutorial'],
  sections: [
    {
      tab: 'other',
      id: 'srt',
      title: 'srtTutorial.title',
      help: 'srtTutorial.help',
      panel: lazyScreen(async () => (await import('./srt-tutorial.tsx')).SrtTutorial),
    },
  ],
};
