import type { ActiveStream, StreamMedia } from '@weir/contract';
import { playProtocols } from '@weir/streams';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { formatDuration } from '../../../lib/format.ts';
import { useLocale } from '../../../lib/i18n.ts';
import { formatBitrate, formatCodec, formatNumber } from '../../figures/format-figures.ts';
import { useNow } from '../../processes/use-now.ts';
import { settledBitrate } from '../settled-bitrate.ts';
import { protocolName } from './protocol-name.ts';
import classes from './stream-figures.module.css';

/** The four figures that matter to a broadcaster. */
export function StreamFigures({ stream }: { stream: ActiveStream }) {
  const { media, update } = stream;
  const { t } = useTranslation();
  const locale = useLocale();
  const now = useNow(true);
  const viewers = useViewersText(media);
  const { video, fps = 0 } = media ?? {};
  const seconds = Math.max(0, (now - Date.parse(update)) / 1000);
  return (
    <dl className={classes.figures} aria-label={t('live.facts.label')}>
      <Figure term={t('live.facts.onAir')}>{formatDuration(seconds, locale)}</Figure>
      <Figure term={t('live.facts.viewers')} more={viewers}>
        {media ? formatNumber(media.viewers, locale) : '–'}
      </Figure>
      <Figure term={t('live.facts.bitrate')}>
        {formatBitrate(settledBitrate(stream, now), locale) ?? t('live.facts.measuring')}
      </Figure>
      <Figure
        term={t('live.facts.video')}
        more={fps > 0 ? t('live.facts.fps', { number: formatNumber(fps, locale, 1) }) : ''}
      >
        {video && video.width > 0
          ? `${video.width}\u00a0×\u00a0${video.height}`
          : video
            ? formatCodec(video.codec)
            : t('live.facts.none')}
      </Figure>
    </dl>
  );
}

function Figure({ term, more = '', children }: { term: string; more?: string; children: ReactNode }) {
  return (
    <div className={classes.figure}>
      <dt>{term}</dt>
      <dd>
        <span className={classes.value}>{children}</span>
        {more !== '' && <span className={classes.more}>{more}</span>}
      </dd>
    </div>
  );
}

/** `2 WebRTC, 1 HLS`; empty without viewers. */
function useViewersText(media: StreamMedia | undefined): string {
  const { t } = useTranslation();
  const locale = useLocale();
  const by = media?.viewersBy;
  if (!by) return '';
  return playProtocols
    .filter((protocol) => by[protocol] > 0)
    .map((protocol) =>
      t('live.facts.by', { number: formatNumber(by[protocol], locale), protocol: protocolName(protocol) }),
    )
    .join(t('live.facts.listComma'));
}
