import { IconTransform } from '../../components/ui/theme/icons.ts';
import type { Feature } from '../../lib/feature.ts';
import { lazyScreen } from '../../lib/lazy.ts';

export const transcodeFeature: Feature = {
  texts: ['transcode', 'ladder'],
  tabs: [
    {
      page: 'scenario',
      id: 'transcode',
      title: 'transcode.tab',
      group: 'nav.groupFlows',
      purpose: 'nav.purpose.transcode',
      words: 'abr ladder quality encode 多码率 清晰度 编码',
      icon: IconTransform,
      panel: lazyScreen(async () => (await import('./transcode-tab.tsx')).TranscodeTab),
    },
  ],
  parts: { streamFeed: lazyScreen(async () => (await import('./transcode-feed.tsx')).TranscodeFeed) },
};
