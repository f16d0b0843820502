import { IconTextScan2 } from '../../components/ui/theme/icons.ts';
import type { Feature } from '../../lib/feature.ts';
import { lazyScreen } from '../../lib/lazy.ts';

export const ocrFeature: Feature = {
  texts: ['ocr'],
  tabs: [
    {
      page: 'scenario',
      id: 'ocr',
      title: 'ocr.title',
      group: 'nav.groupAi',
      purpose: 'nav.purpose.ocr',
      words: 'text recognition 识别',
      icon: IconTextScan2,
      panel: lazyScreen(async () => (await import('./ocr-tab.tsx')).OcrTab),
    },
  ],
  parts: { streamFeed: lazyScreen(async () => (await import('./ocr-feed.tsx')).OcrFeed) },
};
