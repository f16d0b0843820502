import { useTranslation } from 'react-i18next';
import { useLocale } from '../../../lib/i18n.ts';
import { formatBitrate, formatNumber } from '../../figures/format-figures.ts';
import { Notice } from '../../ui/feedback/notice.tsx';
import { adviseBitrate, type PublishedVideo } from './bitrate-advice.ts';
import { usePresetTitle } from './platforms.ts';
import type { Preset } from './presets.ts';

interface AdviceNoteProps {
  preset: Preset;
  /** The chosen source while it is live. */
  published: (PublishedVideo & { readonly name: string }) | undefined;
}

/** Compares the source with what the platform recommends. */
export function AdviceNote({ preset, published }: AdviceNoteProps) {
  const { t } = useTranslation();
  const locale = useLocale();
  const titleOf = usePresetTitle();
  if (!published || preset === 'own' || preset === 'server') return null;
  const advice = adviseBitrate(preset, published);
  if (!advice) return null;
  const { verdict, height, fps, least, most } = advice;
  const mega = (kbps: number) => formatNumber(kbps / 1000, locale, 1);
  const [platform, name] = [titleOf(preset), published.name];
  return (
    <Notice tone={verdict === 'fits' ? 'ok' : 'warn'} title={t(`plat.advice.${verdict}`, { platform })}>
      <p>
        {t('plat.advice.text', {
          height,
          fps,
          least: mega(least),
          most: mega(most),
          name,
          bitrate: formatBitrate(published.kbps, locale),
        })}
      </p>
    </Notice>
  );
}
