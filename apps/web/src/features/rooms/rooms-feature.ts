import { IconUsers } from '../../components/ui/theme/icons.ts';
import type { Feature } from '../../lib/feature.ts';
import { lazyScreen } from '../../lib/lazy.ts';
import { paths } from '../../lib/paths.ts';

export const roomsFeature: Feature = {
  texts: ['rooms'],
  tabs: [
    {
      page: 'scenario',
      id: 'stream',
      title: 'rooms.tab',
      group: 'nav.groupLive',
      purpose: 'nav.purpose.stream',
      icon: IconUsers,
      panel: lazyScreen(async () => (await import('./rooms-tab.tsx')).RoomsTab),
    },
  ],
  palette: {
    links: [
      {
        to: `${paths.scenario}?tab=stream#panel-1`,
        title: 'palette.addRoom',
        words: 'guest assistant 访客 助手',
        isAction: true,
      },
    ],
  },
};
