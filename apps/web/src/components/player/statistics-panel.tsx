import { useTranslation } from 'react-i18next';
import { useLocale } from '../../lib/i18n.ts';
import { codecName } from '../figures/codec-name.ts';
import { FigureGrid } from '../figures/figure-grid.tsx';
import { bitrateText, delayText, percentText, plainNumber } from '../figures/figures.ts';
import type { PlayerState } from './session/player-state.ts';

/** The figures of a player, each with its unit. */
export function StatisticsPanel({ state }: { state: PlayerState }) {
  const { t } = useTranslation();
  const locale = useLocale();
  const { statistics: s, source } = state;
  const codecs = [codecName(s.videoCodec ?? ''), s.audioCodec].filter(Boolean).join(' · ');
  const ofRtc: [string, string | undefined][] = [
    [t('player.roundTrip'), delayText(s.roundTripMs, locale)],
    [t('player.jitter'), delayText(s.jitterMs, locale)],
    [t('player.loss'), percentText(s.lossPercent, locale)],
  ];
  return (
    <FigureGrid
      label={t('player.figures')}
      hint={source && t(`player.delayMeans.${source.kind}`)}
      figures={[
        [t(source?.kind === 'whep' ? 'player.serverToPicture' : 'player.delay'), delayText(s.delayMs, locale)],
        [t('player.resolution'), s.width && s.height ? `${s.width} × ${s.height}` : undefined],
        [
          t('player.frameRate'),
          s.fps === undefined ? undefined : t('player.fps', { number: plainNumber(s.fps, locale) }),
        ],
        [t('player.bitrate'), bitrateText(s.bitrateKbps, locale)],
        [t('player.stalls'), plainNumber(s.stalls, locale)],
        [t('player.dropped'), plainNumber(s.droppedFrames, locale)],
        [t('player.firstPicture'), delayText(s.firstFrameMs, locale)],
        ...(source?.kind === 'whep' ? ofRtc : []),
        [t('player.codecs'), codecs || undefined],
      ]}
    />
  );
}
