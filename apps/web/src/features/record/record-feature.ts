import { IconPlayerRecord } from '../../components/ui/theme/icons.ts';
import type { Feature } from '../../lib/feature.ts';
import { lazyScreen } from '../../lib/lazy.ts';
import { paths } from '../../lib/paths.ts';

export const recordFeature: Feature = {
  texts: ['record'],
  tabs: [
    {
      page: 'scenario',
      id: 'record',
      title: 'record.tab',
      group: 'nav.groupFlows',
      purpose: 'nav.purpose.record',
      words: 'recording dvr rewind 录像 回放 回看',
      icon: IconPlayerRecord,
      panel: lazyScreen(async () => (await import('./record-tab.tsx')).RecordTab),
    },
  ],
  palette: {
    links: [
      { to: `${paths.scenario}?tab=record`, title: 'palette.startRecording', words: 'record 录制', isAction: true },
    ],
    load: async () => (await import('./record-palette.ts')).useRecordPalette,
  },
  parts: {
    streamAction: lazyScreen(async () => (await import('./record-stream-parts.tsx')).RecordAction),
    streamFeed: lazyScreen(async () => (await import('./record-stream-parts.tsx')).RecordFeed),
  },
};
