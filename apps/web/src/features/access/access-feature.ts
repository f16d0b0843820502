import type { Feature } from '../../lib/feature.ts';
import { lazyScreen } from '../../lib/lazy.ts';
import { paths } from '../../lib/paths.ts';

export const accessFeature: Feature = {
  texts: ['access'],
  palette: {
    links: [
      {
        to: `${paths.settings}?tab=auth#play-access`,
        title: 'access.rules.title',
        words:
          'play access share password link token jwt viewers protect private embed 观看 分享 权限 密码 链接 防盗链 鉴权',
      },
    ],
  },
  parts: {
    streamAction: lazyScreen(async () => (await import('./share-action.tsx')).ShareAction),
    watchLink: lazyScreen(async () => (await import('./watch-link-action.tsx')).WatchLinkAction),
    accessPanels: lazyScreen(async () => (await import('./rules-panel.tsx')).RulesPanel),
  },
};
