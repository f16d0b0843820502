import { Anchor, Checkbox, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type {
  ActiveStream,
  DataOf,
  NoThumbnailReason,
  ProcessState,
  StreamOverview,
  StreamQuality,
  streamsApi,
} from '@weir/contract';
import { placeText, streamLabel, type WirePlace } from '@weir/streams';
import type { ParseKeys } from 'i18next';
import { memo, useDeferredValue, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { Sparkline } from '../../../../components/charts/sparkline.tsx';
import { IssueList } from '../../../../components/diagnosis/issue-list.tsx';
import { VerdictLabel } from '../../../../components/diagnosis/verdict-label.tsx';
import { FeatureParts } from '../../../../components/feature-parts.tsx';
import { formatBitrate, formatNumber } from '../../../../components/figures/format-figures.ts';
import { NoStreams } from '../../../../components/streams/no-streams.tsx';
import { overviewQuery } from '../../../../components/streams/overview-query.ts';
import { settledBitrate } from '../../../../components/streams/settled-bitrate.ts';
import { StreamLink, streamPath } from '../../../../components/streams/stream-link.tsx';
import { streamsQuery } from '../../../../components/streams/streams-queries.ts';
import { thumbnailQuery, useBlobUrl } from '../../../../components/streams/thumbnail.tsx';
import { type Freshness, StaleChip } from '../../../../components/ui/feedback/stale-chip.tsx';
import { StatusLabel, type Tone } from '../../../../components/ui/feedback/status-label.tsx';
import { PagePart } from '../../../../components/ui/layout/page-part.tsx';
import { Section } from '../../../../components/ui/layout/section.tsx';
import { formatDateTime, formatDuration } from '../../../../lib/format.ts';
import { useLocale } from '../../../../lib/i18n.ts';
import { paths, useLocalPath } from '../../../../lib/paths.ts';
import { useCardPhase } from './card-visibility.ts';
import classes from './live-panel.module.css';

/** Up to this number of cards fits on a screen and needs no search. */
const mostUnsearched = 12;
const fewCards = 2;

/** Cards of all live streams. The list changes only when streams start or end, not with their figures. */
export function LivePanel() {
  const { t } = useTranslation();
  const query = useQuery({ ...streamsQuery, select: listNames });
  const streams = query.data;
  if (streams === undefined || streams.length === 0) {
    return (
      <Section anchor="live" title={t('overview.live')} state={<StaleChip {...query} />}>
        {streams && <NoStreams />}
      </Section>
    );
  }
  return (
    <PagePart title={t('overview.live')} note={<AllViewers />} aside={<WallLink {...query} />}>
      <StreamWall streams={streams} />
    </PagePart>
  );
}

/** Viewers of all streams together; nothing where the media server doesn't count them. */
function AllViewers() {
  const { t } = useTranslation();
  const locale = useLocale();
  const { data: count } = useQuery({ ...streamsQuery, select: countViewers });
  return count === undefined ? null : t('overview.viewers', { count, number: formatNumber(count, locale) });
}

function countViewers({ streams }: DataOf<typeof streamsApi.query>): number | undefined {
  const counts = streams.flatMap(({ media }) => media?.viewers ?? []);
  return counts.length === 0 ? undefined : counts.reduce((sum, viewers) => sum + viewers, 0);
}

function WallLink(freshness: Freshness) {
  const { t } = useTranslation();
  const localPath = useLocalPath();
  return (
    <>
      <StaleChip {...freshness} />
      <Anchor component={Link} to={localPath(`${paths.settings}?tab=streams`)} size="sm">
        {t('overview.manageStreams')}
      </Anchor>
    </>
  );
}

function listNames({ streams }: DataOf<typeof streamsApi.query>): NamedStream[] {
  return streams.map(({ vhost, app, stream, client_id }) => ({ vhost, app, stream, client_id }));
}

function StreamWall({ streams }: { streams: readonly NamedStream[] }) {
  const { t } = useTranslation();
  const { data } = useQuery(overviewQuery);
  const { shown, tools } = useChoice(streams, data?.streams ?? []);
  // Above the cards when there are many, where it is found.
  const isCrowded = streams.length > mostUnsearched;
  const problems = <ProblemList glances={data?.streams ?? []} />;
  // Renders the first screen at once and the rest when the page is idle.
  const drawn = useDeferredValue(shown, shown.slice(0, mostUnsearched));
  return (
    <>
      {tools}
      {isCrowded && problems}
      <ul
        className={classes.cards}
        aria-label={t('overview.liveStreams')}
        data-few={streams.length <= fewCards || undefined}
      >
        {drawn.map((stream, index) => (
          <StreamCard key={stream.client_id} stream={stream} isFirst={index < mostUnsearched} />
        ))}
      </ul>
      {shown.length === 0 && <Text size="sm">{t('overview.noneFound')}</Text>}
      {!isCrowded && problems}
    </>
  );
}

/** Search and filter of the streams. */
function useChoice(streams: readonly NamedStream[], glances: readonly StreamOverview[]) {
  const { t } = useTranslation();
  const [text, setText] = useState('');
  const [isWrongOnly, setIsWrongOnly] = useState(false);
  if (streams.length <= mostUnsearched) return { shown: streams, tools: null };
  const wrong = new Set(glances.filter(({ diagnosis }) => diagnosis.issues.length > 0).map(placeText));
  const isWrong = (stream: NamedStream) => wrong.has(placeText(stream));
  const wanted = text.trim().toLowerCase();
  const shown = streams.filter(
    (stream) => streamLabel(stream).toLowerCase().includes(wanted) && (!isWrongOnly || isWrong(stream)),
  );
  const tools = (
    <div className={classes.tools}>
      <TextInput
        className={classes.search ?? ''}
        type="search"
        size="sm"
        aria-label={t('overview.search')}
        placeholder={t('overview.search')}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <Checkbox
        size="sm"
        label={t('overview.wrongOnly', { count: streams.filter(isWrong).length })}
        checked={isWrongOnly}
        onChange={(event) => setIsWrongOnly(event.currentTarget.checked)}
      />
    </div>
  );
  return { shown, tools };
}

/** Problems of further streams are shown on their own pages. */
const mostShown = 3;

function ProblemList({ glances }: { glances: readonly StreamOverview[] }) {
  const { t } = useTranslation();
  const rank = ({ diagnosis }: StreamOverview) => (diagnosis.verdict === 'bad' ? 0 : 1);
  const wrong = glances
    .filter(({ diagnosis }) => diagnosis.issues.length > 0)
    .sort((a, b) => rank(a) - rank(b) || (placeText(a) < placeText(b) ? -1 : 1));
  if (wrong.length === 0) return null;
  return (
    <div className={classes.problems}>
      {wrong.slice(0, mostShown).map((glance) => (
        <div key={placeText(glance)}>
          <StreamLink stream={glance} className={classes.problemName} />
          <IssueList issues={glance.diagnosis.issues} />
        </div>
      ))}
      {wrong.length > mostShown && (
        <Text size="sm" c="dimmed">
          {t('overview.moreProblems', { count: wrong.length - mostShown })}
        </Text>
      )}
    </div>
  );
}

/** Stream and its publisher: the facts that stay the same while a card exists. */
interface NamedStream extends WirePlace {
  readonly client_id: string;
}

/**
 * Summary of a live stream that links to its page. Renders only the name at first, so that the browser's page search
 * finds it; the first cards are complete at once.
 */
const StreamCard = memo(function StreamCard({ stream, isFirst }: { stream: NamedStream; isFirst: boolean }) {
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
        {stream.media?.qualities && <CardQualities qualities={stream.media.qualities} />}
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

/** Bitrate and viewers of each quality, best first. */
function CardQualities({ qualities }: { qualities: readonly StreamQuality[] }) {
  const { t } = useTranslation();
  const locale = useLocale();
  return (
    <ul className={classes.qualities} aria-label={t('overview.qualities')}>
      {qualities.map(({ name, kbps, viewers }) => (
        <li key={name}>
          <b>{name}</b> <span className={classes.bitrate}>{formatBitrate(kbps, locale)}</span>{' '}
          {t('overview.viewers', { count: viewers, number: formatNumber(viewers, locale) })}
        </li>
      ))}
    </ul>
  );
}

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
