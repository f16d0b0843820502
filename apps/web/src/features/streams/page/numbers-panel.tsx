import type { ActiveStream, StreamSamples } from '@weir/contract';
import { playProtocols } from '@weir/streams';
import { useTranslation } from 'react-i18next';
import {
  formatBitrate,
  formatCodec,
  formatDelay,
  formatNumber,
  formatPercent,
} from '../../../components/figures/format-figures.ts';
import type { PlayerState } from '../../../components/player/session/player-state.ts';
import { StatisticsPanel } from '../../../components/player/statistics-panel.tsx';
import { protocolName } from '../../../components/streams/facts/protocol-name.ts';
import { useAudioText, useWebRtcText } from '../../../components/streams/facts/stream-facts.tsx';
import { settledBitrate } from '../../../components/streams/settled-bitrate.ts';
import { Section } from '../../../components/ui/layout/section.tsx';
import { formatUnit } from '../../../lib/format.ts';
import { useLocale } from '../../../lib/i18n.ts';
import classes from './numbers-panel.module.css';
import { latestOf, peakViewers } from './stream-figures.ts';

interface NumbersPanelProps {
  live: ActiveStream;
  seconds: StreamSamples | undefined;
  player: PlayerState | undefined;
}

/** Server measurements under three headings, and those of this page's player, folded below. */
export function NumbersPanel({ live, seconds, player }: NumbersPanelProps) {
  const { t } = useTranslation();
  const locale = useLocale();
  const { media } = live;
  const audio = useAudioText(media);
  const webrtc = useWebRtcText(media);
  const rtt = latestOf(seconds, 'rttMs');
  const keyframes = latestOf(seconds, 'keyframeMs');
  const sent = latestOf(seconds, 'outKbps');
  const video = media?.video;
  const by = media?.viewersBy;
  return (
    <Section anchor="numbers" title={t('streamPage.numbers.title')} help={t('streamPage.numbers.help')}>
      <div className={classes.columns}>
        <Column
          title={t('streamPage.numbers.publisher')}
          rows={[
            [t('live.facts.bitrate'), formatBitrate(settledBitrate(live), locale) ?? t('live.facts.measuring')],
            [
              t('streamPage.charts.fps'),
              media && media.fps > 0 && t('live.facts.fps', { number: formatNumber(media.fps, locale, 1) }),
            ],
            [t('streamPage.numbers.lost'), formatPercent(latestOf(seconds, 'lossPercent'), locale)],
            [t('streamPage.numbers.rtt'), formatDelay(rtt && Math.round(rtt), locale)],
          ]}
        />
        <Column
          title={t('streamPage.numbers.media')}
          rows={[
            [
              t('live.facts.video'),
              video ? formatCodec(`${video.codec} ${video.profile}`.trim()) : t('live.facts.none'),
            ],
            [t('streamPage.numbers.size'), video && video.width > 0 && `${video.width}\u00a0×\u00a0${video.height}`],
            [
              t('streamPage.charts.keyframes'),
              keyframes !== undefined && formatUnit(keyframes / 1000, 'second', locale, 1),
            ],
            [t('live.facts.audio'), audio ?? t('live.facts.none')],
            [t('live.facts.webrtc'), webrtc],
          ]}
        />
        <Column
          title={t('streamPage.numbers.viewers')}
          rows={[
            [t('streamPage.numbers.watching'), media && formatNumber(media.viewers, locale)],
            [t('streamPage.numbers.peak'), seconds && formatNumber(peakViewers(seconds), locale)],
            ...playProtocols
              .filter((protocol) => (by?.[protocol] ?? 0) > 0)
              .map((protocol) => [protocolName(protocol), formatNumber(by?.[protocol] ?? 0, locale)] as const),
            [t('streamPage.charts.out'), formatBitrate(sent, locale)],
          ]}
        />
        {media?.qualities && (
          <Column
            title={t('streamPage.numbers.qualities')}
            rows={media.qualities.map(({ name, kbps, viewers }) => [
              name,
              t('streamPage.numbers.quality', {
                bitrate: formatBitrate(kbps, locale) ?? t('live.facts.measuring'),
                count: viewers,
                viewers: formatNumber(viewers, locale),
              }),
            ])}
          />
        )}
      </div>
      {player && <PlayerNumbers player={player} />}
    </Section>
  );
}

interface ColumnProps {
  title: string;
  /** Unknown values are left out. */
  rows: readonly (readonly [term: string, value: string | false | undefined | null])[];
}

function Column({ title, rows }: ColumnProps) {
  return (
    <div className={classes.column}>
      <h3>{title}</h3>
      <dl>
        {rows.map(
          ([term, value]) =>
            value && (
              <div key={term}>
                <dt>{term}</dt>
                <dd>{value}</dd>
              </div>
            ),
        )}
      </dl>
    </div>
  );
}

function PlayerNumbers({ player }: { player: PlayerState }) {
  const { t } = useTranslation();
  const locale = useLocale();
  const { delayMs, stalls, width, height } = player.statistics;
  const delay = formatDelay(delayMs === undefined ? undefined : Math.round(delayMs), locale);
  const facts = [
    delay && t('streamPage.numbers.behind', { delay }),
    t('streamPage.numbers.stalls', { count: stalls }),
    width && height && `${width}\u00a0×\u00a0${height}`,
  ].filter(Boolean);
  if (player.phase === 'idle' || player.phase === 'failed') return null;
  return (
    <details className={classes.player}>
      <summary>{t('streamPage.numbers.player', { facts: facts.join(t('live.facts.listComma')) })}</summary>
      <StatisticsPanel state={player} />
    </details>
  );
}
