import { useTranslation } from 'react-i18next';
import { useLocale } from '../../lib/i18n.ts';
import { FigureGrid } from '../figures/figure-grid.tsx';
import { formatBitrate, formatCodec, formatDelay, formatNumber, formatPercent } from '../figures/format-figures.ts';
import type { PlayerState } from './session/player-state.ts';

export function StatisticsPanel({ state }: { state: PlayerState }) {
  const { t } = useTranslation();
  const locale = useLocale();
  const { statistics: s, source } = state;
  const codecs = [formatCodec(s.videoCodec ?? ''), s.audioCodec].filter(Boolean).join(' · ');
  const ofRtc: [string, string | undefined][] = [
    [t('player.roundTrip'), formatDelay(s.roundTripMs, locale)],
    [t('player.jitter'), formatDelay(s.jitterMs, locale)],
    [t('player.loss'), formatPercent(s.lossPercent, locale)],
  ];
  return (
    <FigureGrid
      label={t('player.figures')}
      hint={source && t(`player.delayMeans.${source.kind}`)}
      figures={[
        [t(source?.kind === 'whep' ? 'player.serverToPicture' : 'player.delay'), formatDelay(s.delayMs, locale)],
        [t('player.resolution'), s.width && s.height ? `${s.width} × ${s.height}` : undefined],
        [
          t('player.frameRate'),
          s.fps === undefined ? undefined : t('player.fps', { number: formatNumber(s.fps, locale) }),
        ],
        [t('player.bitrate'), formatBitrate(s.bitrateKbps, locale)],
        [t('player.stalls'), formatNumber(s.stalls, locale)],
        [t('player.dropped'), formatNumber(s.droppedFrames, locale)],
        [t('player.firstPicture'), formatDelay(s.firstFrameMs, locale)],
        ...(source?.kind === 'whep' ? ofRtc : []),
        [t('player.codecs'), codecs || undefined],
      ]}
    />
  );
}
