import { useQuery } from '@tanstack/react-query';
import type { ActiveStream, NoThumbnailReason, ProcessState, StreamOverview } from '@weir/contract';
import { streamLabel, type WirePlace } from '@weir/streams';
import type { ParseKeys } from 'i18next';
import { memo, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { Sparkline } from '../../../../components/charts/sparkline.tsx';
import { VerdictLabel } from '../../../../components/diagnosis/verdict-label.tsx';
import { FeatureParts } from '../../../../components/feature-parts.tsx';
import { formatBitrate, formatNumber } from '../../../../components/figures/format-figures.ts';
import { overviewQuery } from '../../../../components/streams/overview-query.ts';
import { settledBitrate } from '../../../../components/streams/settled-bitrate.ts';
import { streamPath } from '../../../../components/streams/stream-link.tsx';
import { streamsQuery } from '../../../../components/streams/streams-queries.ts';
import { thumbnailQuery, useBlobUrl } from '../../../../components/streams/thumbnail.tsx';
import { StatusLabel, type Tone } from '../../../../components/ui/feedback/status-label.tsx';
import { formatDateTime, formatDuration } from '../../../../lib/format.ts';
import { useLocale } from '../../../../lib/i18n.ts';
import { useLocalPath } from '../../../../lib/paths.ts';
import { useCardPhase } from './card-visibility.ts';
import classes from './stream-card.module.css';

/** Stream and its publisher: the facts that stay the same while a card exists. */
export interface NamedStream extends WirePlace {
  readonly client_id: string;
}

/**
 * Summary of a live stream that links to its page. Renders only the name at first, so that the browser's page search
 * finds it; the first cards are complete at once.
 */
export const StreamCard = memo(function StreamCard({ stream, isFirst }: { stream: NamedStream; isFirst: boolean }) {
  const card = useRef<HTMLLIElement>(null);
  // The first cards show their figures before they load thumbnails.
  const phase = useCardPhase(card, isFirst ? 'kept' : 'far');
  return (
    <li ref={card} className={classes.card} data-far={phase === 'far' || undefined}>
      {phase === 'far' ? <FarCard name={stream} /> : <DrawnCard name={stream} isNear={phase === 'near'} />}
    </li>
  );
});

function FarCard({ name }: { name: NamedStream }) {
  return (
    <>
      <div className={classes.picture} />
      <div className={classes.text}>
        <div className={classes.head}>
          <CardLink name={name} />
        </div>
      </div>
    </>
  );
}

function DrawnCard({ name, isNear: subscribed }: { name: NamedStream; isNear: boolean }) {
  const isThis = ({ vhost, app, stream }: WirePlace) =>
    stream === name.stream && app === name.app && vhost === name.vhost;
  const { data: stream } = useQuery({ ...streamsQuery, subscribed, select: ({ streams }) => streams.find(isThis) });
  const { data: glance } = useQuery({ ...overviewQuery, subscribed, select: ({ streams }) => streams.find(isThis) });
  if (!stream) return <FarCard name={name} />;
  return (
    <>
      <div className={classes.picture}>
        <StreamThumbnail stream={stream} isSeen={subscribed} />
        {glance && <WorstIssue glance={glance} />}
      </div>
      <div className={classes.text}>
        <div className={classes.head}>
          <CardLink name={name} />
          {glance && glance.diagnosis.verdict !== 'none' && <VerdictLabel verdict={glance.diagnosis.verdict} />}
        </div>
        <CardFigures stream={stream} glance={glance} />
        <CardStates stream={stream} glance={glance} />
      </div>
    </>
  );
}

const CardLink = memo(function CardLink({ name }: { name: NamedStream }) {
  const localPath = useLocalPath();
  const label = streamLabel(name);
  return (
    <Link to={localPath(streamPath(name))} className={classes.name} title={label}>
      {label}
    </Link>
  );
});

function CardFigures({ stream, glance }: { stream: ActiveStream; glance: StreamOverview | undefined }) {
  const { t } = useTranslation();
  const locale = useLocale();
  const { media } = stream;
  const bitrate = formatBitrate(settledBitrate(stream), locale);
  return (
    <div className={classes.figures}>
      <span>
        {media && t('overview.viewers', { count: media.viewers, number: formatNumber(media.viewers, locale) })}
      </span>
      <span className={classes.bitrate}>{bitrate}</span>
      <span className={classes.spark}>
        {glance && <Sparkline values={glance.line} label={t('overview.bitrateLine', { bitrate: bitrate ?? '–' })} />}
      </span>
    </div>
  );
}

/** Overlay on the thumbnail, which shifts nothing. The remedy is shown below the cards and on the stream's page. */
function WorstIssue({ glance: { diagnosis } }: { glance: StreamOverview }) {
  const { t } = useTranslation();
  const [worst] = diagnosis.issues;
  if (!worst) return null;
  const more = diagnosis.issues.length - 1;
  return (
    <span className={classes.issue} data-tone={worst.severity}>
      {t(`diagnose.issue.${worst.id}.title` as 'diagnose.issue.stalled.title')}
      {more > 0 && ` +${more}`}
    </span>
  );
}

const failing: readonly ProcessState[] = ['failing', 'reconnecting'];

function CardStates({ stream, glance }: { stream: ActiveStream; glance: StreamOverview | undefined }) {
  const { t } = useTranslation();
  const locale = useLocale();
  const seconds = (Date.now() - Date.parse(stream.update)) / 1000;
  return (
    <div className={classes.states}>
      <time dateTime={stream.update} title={formatDateTime(new Date(stream.update))}>
        {formatDuration(seconds, locale)}
      </time>
      {stream.key !== undefined && (
        <span title={t('live.facts.keyTerm')}>{t('live.facts.key', { key: stream.key })}</span>
      )}
      <FeatureParts slot="streamBadge" props={{ stream }} />
      {glance?.isRecording && <StatusLabel tone="recording" word={t('overview.recording')} />}
      {glance && glance.targets.length > 0 && <Targets targets={glance.targets} />}
    </div>
  );
}

function Targets({ targets }: { targets: StreamOverview['targets'] }) {
  const { t } = useTranslation();
  const live = targets.filter(({ state }) => state === 'live').length;
  const isFailing = targets.some(({ state }) => failing.includes(state));
  const tone: Tone = isFailing ? 'bad' : live === targets.length ? 'ok' : 'busy';
  const word =
    live === targets.length
      ? t('overview.targets', { count: live })
      : t('overview.targetsOf', { live, count: targets.length });
  return <StatusLabel tone={tone} word={word} />;
}

const words: Readonly<Record<NoThumbnailReason, ParseKeys>> = {
  'not-live': 'overview.noPicture',
  'no-video': 'overview.audioOnly',
  undecodable: 'overview.noPicture',
  'no-ffmpeg': 'overview.noPictureFfmpeg',
  unsupported: 'overview.noPictureEngine',
};

/** Recent thumbnail, updated only while it is visible. */
function StreamThumbnail({ stream, isSeen }: { stream: ActiveStream; isSeen: boolean }) {
  const { t } = useTranslation();
  const { media } = stream;
  // Known without a request. Before any track is known, video may still come.
  const isAudioOnly = media !== undefined && media.video === null && media.audio !== null;
  const { data, isPending } = useQuery({ ...thumbnailQuery(stream), enabled: !isAudioOnly && isSeen });
  const url = useBlobUrl(data instanceof Blob ? data : undefined);
  // The name below describes it to screen readers.
  if (url) return <img className={classes.image} src={url} alt="" />;
  if (isAudioOnly) return <span className={classes.absent}>{t('overview.audioOnly')}</span>;
  if (isPending || data instanceof Blob) return null;
  return <span className={classes.absent}>{t(words[data?.reason ?? 'not-live'])}</span>;
}
