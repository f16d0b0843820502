import { IconSwitchHorizontal } from '../../components/ui/theme/icons.ts';
import type { Feature } from '../../lib/feature.ts';
import { lazyScreen } from '../../lib/lazy.ts';
import { paths } from '../../lib/paths.ts';

export const programFeature: Feature = {
  texts: ['program'],
  tabs: [
    {
      page: 'scenario',
      id: 'program',
      title: 'program.tab',
      group: 'nav.groupLive',
      purpose: 'nav.purpose.program',
      words: 'backup failover redundancy slate standby switcher input 备用 主备 切换 垫片 信号源 容灾',
      icon: IconSwitchHorizontal,
      panel: lazyScreen(async () => (await import('./programs-tab.tsx')).ProgramsTab),
    },
  ],
  palette: {
    links: [
      {
        to: `${paths.scenario}?tab=program&add=1`,
        title: 'program.add',
        words: 'backup encoder slate failover redundancy 备用 主备 切换 垫片 24/7 轮播',
        isAction: true,
      },
      {
        to: `${paths.scenario}?tab=program#slates`,
        title: 'program.slates.title',
        words: 'slate be right back placeholder 垫片 断流 占位',
      },
    ],
    load: async () => (await import('./program-palette.ts')).useProgramPalette,
  },
  parts: {
    streamAction: lazyScreen(async () => (await import('./program-action.tsx')).ProgramAction),
    streamInputs: lazyScreen(async () => (await import('./program-panel.tsx')).ProgramPanel),
    streamBadge: lazyScreen(async () => (await import('./program-badge.tsx')).ProgramBadge),
  },
};
