import { useTranslation } from 'react-i18next';
import { formatCodec } from '../../components/figures/codec-name.ts';
import { FigureGrid } from '../../components/figures/figure-grid.tsx';
import { formatBitrate, formatDelay, formatNumber, formatPercent } from '../../components/figures/format-figures.ts';
import { useLocale } from '../../lib/i18n.ts';
import type { PublishSessionState } from './publishing/publish-session.ts';
import classes from './sender-statistics.module.css';

/** What leaves this browser, once a second. */
export function SenderStatistics({ state: { sent, session } }: { state: PublishSessionState }) {
  const { t } = useTranslation();
  const locale = useLocale();
  const codecs = [formatCodec(sent.videoCodec ?? ''), sent.audioCodec].filter(Boolean).join(' · ');
  return (
    <>
      <FigureGrid
        label={t('whip.figures')}
        figures={[
          [t('player.bitrate'), formatBitrate(sent.bitrateKbps, locale)],
          [t('player.resolution'), sent.width && sent.height ? `${sent.width} × ${sent.height}` : undefined],
          [
            t('player.frameRate'),
            sent.fps === undefined ? undefined : t('player.fps', { number: formatNumber(sent.fps, locale) }),
          ],
          [t('player.roundTrip'), formatDelay(sent.roundTripMs, locale)],
          [t('player.loss'), formatPercent(sent.lossPercent, locale)],
          [t('player.codecs'), codecs || undefined],
        ]}
      />
      {sent.limitedBy === 'cpu' && <p className={classes.note}>{t('whip.limitedByCpu')}</p>}
      {sent.limitedBy === 'bandwidth' && <p className={classes.note}>{t('whip.limitedByBandwidth')}</p>}
      {session !== '' && <p className={classes.session}>{t('pages.session', { session })}</p>}
    </>
  );
}
