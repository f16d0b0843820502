import { IconLock } from '../../components/ui/theme/icons.ts';
import type { Feature } from '../../lib/feature.ts';
import { lazyScreen } from '../../lib/lazy.ts';
import { paths } from '../../lib/paths.ts';

export const authFeature: Feature = {
  texts: ['login', 'setup'],
  screens: [
    { id: 'setup', page: lazyScreen(async () => (await import('./setup-page.tsx')).SetupPage) },
    { id: 'login', page: lazyScreen(async () => (await import('./login-page.tsx')).LoginPage) },
    { id: 'logout', title: 'nav.logout', page: lazyScreen(async () => (await import('./logout-page.tsx')).LogoutPage) },
  ],
  tabs: [
    {
      page: 'settings',
      id: 'auth',
      title: 'settings.tabAuth',
      group: 'nav.groupAccess',
      purpose: 'nav.purpose.auth',
      words: 'secret stream key publish 推流码 密钥 鉴权',
      icon: IconLock,
      panel: lazyScreen(async () => (await import('./auth-tab.tsx')).AuthTab),
      slots: ['accessPanels'],
    },
  ],
  palette: {
    links: [
      { to: `${paths.settings}?tab=auth`, title: 'palette.password', words: 'password', isAction: true },
      { to: paths.logout, title: 'nav.logout', words: 'sign out logout', isAction: true },
    ],
  },
};
