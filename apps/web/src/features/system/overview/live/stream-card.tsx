import { useQuery } from '@tanstack/react-query';
import type { ActiveStream, StreamGlance } from '@weir/contract';
import { streamLabel, type WirePlace } from '@weir/dialect';
import { memo, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { Sparkline } from '../../../../components/charts/sparkline.tsx';
import { VerdictLabel } from '../../../../components/diagnosis/verdict-label.tsx';
import { bitrateText, plainNumber } from '../../../../components/figures/figures.ts';
import { streamPath } from '../../../../components/streams/stream-link.tsx';
import { streamsQuery } from '../../../../components/streams/streams-queries.ts';
import { useLocale } from '../../../../lib/i18n.ts';
import { useLocalPath } from '../../../../lib/paths.ts';
import { overviewQuery } from '../overview-query.ts';
import { CardStates } from './card-states.tsx';
import classes from './stream-card.module.css';
import { StreamThumbnail } from './stream-thumbnail.tsx';
import { useCardPhase } from './use-card-phase.ts';

/** A stream and its publisher: what stays the same for as long as a card does. */
export interface NamedStream extends WirePlace {
  readonly client_id: string;
}

/** A live stream at a glance. The whole card leads to its page; until it is drawn its name is there, for those who search the page. The first are drawn at once. */
export const StreamCard = memo(function StreamCard({ stream, isFirst }: { stream: NamedStream; isFirst: boolean }) {
  const card = useRef<HTMLLIElement>(null);
  // The first follow their streams, and have their pictures fetched, once their figures stand.
  const distance = useCardPhase(card, isFirst ? 'kept' : 'far');
  return (
    <li ref={card} className={classes.card} data-far={distance === 'far' || undefined}>
      {distance === 'far' ? <FarCard name={stream} /> : <DrawnCard name={stream} isNear={distance === 'near'} />}
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

function CardFigures({ stream: { media }, glance }: { stream: ActiveStream; glance: StreamGlance | undefined }) {
  const { t } = useTranslation();
  const locale = useLocale();
  const bitrate = bitrateText(media?.kbps, locale);
  return (
    <div className={classes.figures}>
      <span>
        {media && t('overview.viewers', { count: media.viewers, number: plainNumber(media.viewers, locale) })}
      </span>
      <span className={classes.bitrate}>{bitrate}</span>
      <span className={classes.spark}>
        {glance && <Sparkline values={glance.line} label={t('overview.bitrateLine', { bitrate: bitrate ?? '–' })} />}
      </span>
    </div>
  );
}

/** Over the picture, where it shifts nothing. What to do about it is told below the cards, and on the page of the stream. */
function WorstIssue({ glance: { diagnosis } }: { glance: StreamGlance }) {
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
