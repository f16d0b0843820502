import { isNamedPlatform, type Outlet } from '@weir/contract';
import { useLocale } from '../../lib/i18n.ts';

/** What a slot has before anything was saved. `name`: of a numbered one, which is always one's own. */
export function useBlankOutlet(): (platform: string, name: string) => Outlet {
  const locale = useLocale();
  return (platform, name) => {
    const isNamed = isNamedPlatform(platform);
    return {
      platform,
      server: '',
      secret: '',
      enabled: false,
      // Kuaishou gives its Chinese users an address of their own.
      custom: !isNamed || (platform === 'kuaishou' && locale === 'zh'),
      label: isNamed ? '' : name,
    };
  };
}
