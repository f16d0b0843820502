import { useTranslation } from 'react-i18next';
import classes from './player-controls.module.css';

interface QualityMenuProps {
  /** Best first. */
  qualities: readonly string[];
  /** Undefined while the player chooses. */
  chosen: string | undefined;
  onChoose: (quality: string | undefined) => void;
}

/** Menu of video qualities, as "Auto" and "720p". */
export function QualityMenu({ qualities, chosen, onChoose }: QualityMenuProps) {
  const { t } = useTranslation();
  return (
    <select
      className={classes.quality}
      aria-label={t('player.quality')}
      title={t('player.quality')}
      value={chosen ?? ''}
      onChange={({ currentTarget: { value } }) => onChoose(value === '' ? undefined : value)}
    >
      <option value="">{t('player.autoQuality')}</option>
      {qualities.map((quality) => (
        <option key={quality} value={quality}>
          {quality}
        </option>
      ))}
    </select>
  );
}
