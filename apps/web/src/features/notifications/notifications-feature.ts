import { IconBell } from '../../components/ui/theme/icons.ts';
import type { Feature } from '../../lib/feature.ts';
import { lazyScreen } from '../../lib/lazy.ts';

export const notificationsFeature: Feature = {
  texts: ['notifications'],
  tabs: [
    {
      page: 'settings',
      id: 'notifications',
      title: 'notifications.tab',
      group: 'nav.groupServer',
      purpose: 'nav.purpose.notifications',
      words: 'alert mail email slack telegram discord teams phone 告警 邮件 钉钉 飞书 企业微信 手机',
      icon: IconBell,
      panel: lazyScreen(async () => (await import('./notifications-tab.tsx')).NotificationsTab),
    },
  ],
};
