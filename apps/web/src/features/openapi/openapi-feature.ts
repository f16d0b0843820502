import { IconApi } from '../../components/ui/theme/icons.ts';
import type { Feature } from '../../lib/feature.ts';
import { lazyScreen } from '../../lib/lazy.ts';

export const openapiFeature: Feature = {
  texts: ['openapi'],
  tabs: [
    {
      page: 'settings',
      id: 'api',
      title: 'openapi.tab',
      group: 'nav.groupAccess',
      purpose: 'openapi.summary',
      words: 'token automation 接口 密钥 调用',
      icon: IconApi,
      panel: lazyScreen(async () => (await import('./openapi-tab.tsx')).OpenapiTab),
    },
  ],
};
