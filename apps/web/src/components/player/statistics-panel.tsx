import { useTranslation } from 'react-i18next';
import { useLocale } from '../../lib/i18n.ts';
import { bitrateText, delayText, percentText, plainNumber } from './figures.ts';
import type { PlayerState } from './player-state.ts';
import classes from './statistics-panel.module.css';

/** The figures of a player, each with its unit. What is not known yet is a dash. */
export function StatisticsPanel({ state }: { state: PlayerState }) {
  const { t } = useTranslation();
  const locale = useLocale();
  const { statistics: s, source } = state;
  const isRtc = source?.kind === 'whep';
  const codecs = [s.videoCodec, s.audioCodec].filter(Boolean).join(' · ');
  const figures: [string, string | undefined][] = [
    [t('player.delay'), delayText(s.delayMs, locale)],
    [t('player.resolution'), s.width && s.height ? `${s.width} × ${s.height}` : undefined],
    [t('player.frameRate'), s.fps === undefined ? undefined : t('player.fps', { number: plainNumber(s.fps, locale) })],
    [t('player.bitrate'), bitrateText(s.bitrateKbps, locale)],
    [t('player.stalls'), plainNumber(s.stalls, locale)],
    [t('player.dropped'), plainNumber(s.droppedFrames, locale)],
    [t('player.firstPicture'), delayText(s.firstFrameMs, locale)],
    ...(isRtc
      ? ([
          [t('player.roundTrip'), delayText(s.roundTripMs, locale)],
          [t('player.jitter'), delayText(s.jitterMs, locale)],
          [t('player.loss'), percentText(s.lossPercent, locale)],
        ] satisfies [string, string | undefined][])
      : []),
    [t('player.codecs'), codecs || undefined],
  ];
  return (
    <dl
      className={classes.figures}
      aria-label={t('player.figures')}
      title={source && t(`player.delayMeans.${source.kind}`)}
    >
      {figures.map(([term, value]) => (
        <div key={term} className={classes.figure}>
          <dt>{term}</dt>
          <dd>{value ?? '–'}</dd>
        </div>
      ))}
    </dl>
  );
}
