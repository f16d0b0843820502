import { useTranslation } from 'react-i18next';
import { useLocale } from '../../../lib/i18n.ts';
import { type Preset, slotPreset } from './presets.ts';

/** Name of a platform, of this server, or of any other. */
export function usePresetTitle(): (preset: Preset) => string {
  const { t } = useTranslation();
  return (preset) => {
    if (preset === 'own') return t('plat.com.ownServer');
    return preset === 'server' ? t('plat.com.otherServer') : t(`plat.title.${preset}`);
  };
}

/** Title of a slot in lists: `YouTube`, `YouTube · Sunday service`, `Custom · Sunday service`, `Forwarding #4`. */
export function useOutletTitle(): (outlet: { platform: string; custom: boolean; label: string }) => string {
  const { t } = useTranslation();
  const locale = useLocale();
  const presetTitle = usePresetTitle();
  return ({ platform, custom, label }) => {
    const name = label.trim();
    const preset = slotPreset(platform, locale);
    if (!preset) return name === '' ? t('plat.com.custom') : name;
    if (name === '') return presetTitle(preset);
    return custom ? name : `${presetTitle(preset)} · ${name}`;
  };
}
