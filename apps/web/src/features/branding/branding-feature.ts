import { IconTypography } from '../../components/ui/theme/icons.ts';
import type { Feature } from '../../lib/feature.ts';
import { lazyScreen } from '../../lib/lazy.ts';

export const brandingFeature: Feature = {
  texts: ['settings'],
  tabs: [
    {
      page: 'settings',
      id: 'beian',
      title: 'settings.tabFooter',
      group: 'nav.groupServer',
      purpose: 'nav.purpose.beian',
      words: 'title icp beian 标题 备案',
      icon: IconTypography,
      panel: lazyScreen(async () => (await import('./branding-tab.tsx')).BrandingTab),
    },
  ],
};
