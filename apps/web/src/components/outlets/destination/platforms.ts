import { isNamedPlatform, type NamedPlatform } from '@weir/contract';
import { useTranslation } from 'react-i18next';

/** Text key prefixes. The platform behind an id differs by language; the ids are older than that. */
const textKeys = { wx: 'wx', bilibili: 'bl', kuaishou: 'ks' } as const satisfies Record<NamedPlatform, string>;

export interface PlatformTexts {
  readonly title: string;
  /** Page of the platform that shows server and key. */
  readonly link: string;
  readonly linkWord: string;
  readonly example: string;
}

/** Undefined for numbered slots. */
export function usePlatformTexts(): (platform: string) => PlatformTexts | undefined {
  const { t } = useTranslation();
  return (platform) => {
    if (!isNamedPlatform(platform)) return undefined;
    const key = textKeys[platform];
    return {
      title: t(`plat.${key}.title`),
      link: t(`plat.${key}.link`),
      linkWord: t(`plat.${key}.linkName`),
      example: t(`plat.${key}.example`),
    };
  };
}

/** Title of a slot in lists: `YouTube`, `YouTube · Sunday service`, `Custom · Sunday service`, `Forwarding #4`. */
export function useOutletTitle(): (outlet: { platform: string; custom: boolean; label: string }) => string {
  const { t } = useTranslation();
  const textsOf = usePlatformTexts();
  return ({ platform, custom, label }) => {
    const name = label.trim();
    const texts = textsOf(platform);
    if (!texts) return name === '' ? t('plat.com.custom') : name;
    return name === '' ? texts.title : `${custom ? t('plat.com.custom') : texts.title} · ${name}`;
  };
}
