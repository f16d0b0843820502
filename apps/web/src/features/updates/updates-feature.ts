import type { Feature } from '../../lib/feature.ts';
import { lazyScreen } from '../../lib/lazy.ts';
import { paths } from '../../lib/paths.ts';

export const updatesFeature: Feature = {
  texts: ['updates'],
  parts: { serverCards: lazyScreen(async () => (await import('./updates-panel.tsx')).UpdatesPanel) },
  palette: {
    links: [
      {
        to: `${paths.components}#updates`,
        title: 'updates.title',
        words: 'update upgrade release version 更新 升级 版本',
      },
    ],
  },
};
