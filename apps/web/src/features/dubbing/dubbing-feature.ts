import { IconMicrophone } from '../../components/ui/theme/icons.ts';
import type { Feature } from '../../lib/feature.ts';
import { lazyScreen } from '../../lib/lazy.ts';
import { paths } from '../../lib/paths.ts';

export const dubbingFeature: Feature = {
  texts: ['dubbing'],
  tabs: [
    {
      page: 'scenario',
      id: 'dubbing',
      title: 'dubbing.title',
      group: 'nav.groupAi',
      purpose: 'nav.purpose.dubbing',
      icon: IconMicrophone,
      panel: lazyScreen(async () => (await import('./dubbing-tab.tsx')).DubbingTab),
    },
  ],
  palette: {
    links: [
      {
        to: `${paths.scenario}?tab=dubbing#panel-1`,
        title: 'palette.addProject',
        words: 'translate voice 翻译 配音',
        isAction: true,
      },
    ],
  },
};
