import { Radio } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useLocale } from '../../../lib/i18n.ts';
import { PlatformLogo } from './platform-logo.tsx';
import { usePresetTitle } from './platforms.ts';
import classes from './preset-tiles.module.css';
import { listPresets, type Preset } from './presets.ts';

interface PresetTilesProps {
  value: Preset;
  /** True if this server may be a destination; it then stands first. */
  hasOwn: boolean;
  onChange: (preset: Preset) => void;
}

/** Platforms to send to, one click each. */
export function PresetTiles({ value, hasOwn, onChange }: PresetTilesProps) {
  const { t } = useTranslation();
  const locale = useLocale();
  const titleOf = usePresetTitle();
  const presets: Preset[] = [...(hasOwn ? (['own'] as const) : []), ...listPresets(locale), 'server'];
  return (
    <Radio.Group
      value={value}
      onChange={(chosen) => onChange(chosen as Preset)}
      aria-label={t('plat.com.sendTo')}
      className={classes.group}
    >
      <div className={classes.tiles}>
        {presets.map((preset) => (
          <Radio.Card key={preset} value={preset} className={classes.tile} aria-label={titleOf(preset)}>
            <PlatformLogo preset={preset} size={28} />
            <span className={classes.name}>{titleOf(preset)}</span>
          </Radio.Card>
        ))}
      </div>
    </Radio.Group>
  );
}
