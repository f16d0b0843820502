import type { AccessRule } from '@weir/contract';
import { useTranslation } from 'react-i18next';

/** `Password · www.example.com · 50 viewers at most` */
export function useRuleText(): (rule: AccessRule) => string {
  const { t } = useTranslation();
  return ({ mode, sites, networks, maxViewers, maxPerLink }) =>
    [
      t(`access.mode.${mode}.title`),
      sites.length > 0 && t('access.limits.onSites', { sites: listed(sites) }),
      networks.length > 0 && t('access.limits.fromNetworks', { networks: listed(networks) }),
      maxViewers > 0 && t('access.limits.atMost', { count: maxViewers }),
      maxPerLink > 0 && t('access.limits.atMostPerLink', { count: maxPerLink }),
    ]
      .filter((part) => part !== false)
      .join(' · ');
}

function listed(names: readonly string[]): string {
  return names.length > 2 ? `${names.slice(0, 2).join(', ')} +${names.length - 2}` : names.join(', ');
}
