import { IconCertificate } from '../../components/ui/theme/icons.ts';
import type { Feature } from '../../lib/feature.ts';
import { lazyScreen } from '../../lib/lazy.ts';

export const certsFeature: Feature = {
  texts: ['certs'],
  tabs: [
    {
      page: 'settings',
      id: 'https',
      title: 'settings.tabHttps',
      group: 'nav.groupAccess',
      purpose: 'nav.purpose.https',
      words: "certificate ssl tls let's encrypt 证书 加密",
      icon: IconCertificate,
      panel: lazyScreen(async () => (await import('./certs-tab.tsx')).CertsTab),
    },
  ],
};
