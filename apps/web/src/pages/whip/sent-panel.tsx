import { useTranslation } from 'react-i18next';
import { codecName } from '../../components/figures/codec-name.ts';
import { FigureGrid } from '../../components/figures/figure-grid.tsx';
import { bitrateText, delayText, percentText, plainNumber } from '../../components/figures/figures.ts';
import { useLocale } from '../../lib/i18n.ts';
import type { StudioState } from './publishing/publish-studio.ts';
import classes from './sent-panel.module.css';

/** What leaves this browser, once a second. */
export function SentPanel({ state: { sent, session } }: { state: StudioState }) {
  const { t } = useTranslation();
  const locale = useLocale();
  const codecs = [codecName(sent.videoCodec ?? ''), sent.audioCodec].filter(Boolean).join(' · ');
  return (
    <>
      <FigureGrid
        label={t('whip.figures')}
        figures={[
          [t('player.bitrate'), bitrateText(sent.bitrateKbps, locale)],
          [t('player.resolution'), sent.width && sent.height ? `${sent.width} × ${sent.height}` : undefined],
          [
            t('player.frameRate'),
            sent.fps === undefined ? undefined : t('player.fps', { number: plainNumber(sent.fps, locale) }),
          ],
          [t('player.roundTrip'), delayText(sent.roundTripMs, locale)],
          [t('player.loss'), percentText(sent.lossPercent, locale)],
          [t('player.codecs'), codecs || undefined],
        ]}
      />
      {sent.limitedBy === 'cpu' && <p className={classes.note}>{t('whip.limitedByCpu')}</p>}
      {sent.limitedBy === 'bandwidth' && <p className={classes.note}>{t('whip.limitedByBandwidth')}</p>}
      {session !== '' && <p className={classes.session}>{t('pages.session', { session })}</p>}
    </>
  );
}
