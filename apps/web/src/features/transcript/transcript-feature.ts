import { IconBadgeCc } from '../../components/ui/theme/icons.ts';
import type { Feature } from '../../lib/feature.ts';
import { lazyScreen } from '../../lib/lazy.ts';

export const transcriptFeature: Feature = {
  texts: ['transcript'],
  tabs: [
    {
      page: 'scenario',
      id: 'transcript',
      title: 'transcript.title',
      group: 'nav.groupAi',
      purpose: 'nav.purpose.transcript',
      words: 'subtitles captions speech 字幕 语音识别',
      icon: IconBadgeCc,
      panel: lazyScreen(async () => (await import('./transcript-tab.tsx')).TranscriptTab),
    },
  ],
  parts: {
    streamAction: lazyScreen(async () => (await import('./transcript-stream-parts.tsx')).TranscriptAction),
    streamFeed: lazyScreen(async () => (await import('./transcript-stream-parts.tsx')).TranscriptFeed),
  },
};
