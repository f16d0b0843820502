import { Anchor, Checkbox, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { DataOf, StreamOverview, streamsApi } from '@weir/contract';
import { placeText, streamLabel } from '@weir/streams';
import { useDeferredValue, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { IssueList } from '../../../../components/diagnosis/issue-list.tsx';
import { NoStreams } from '../../../../components/streams/no-streams.tsx';
import { overviewQuery } from '../../../../components/streams/overview-query.ts';
import { StreamLink } from '../../../../components/streams/stream-link.tsx';
import { streamsQuery } from '../../../../components/streams/streams-queries.ts';
import { StaleChip } from '../../../../components/ui/feedback/stale-chip.tsx';
import { Section } from '../../../../components/ui/layout/section.tsx';
import { paths, useLocalPath } from '../../../../lib/paths.ts';
import classes from './live-panel.module.css';
import { type NamedStream, StreamCard } from './stream-card.tsx';

/** Up to this number of cards fits on a screen and needs no search. */
const mostUnsearched = 12;
const fewCards = 2;

/** Cards of all live streams. The list changes only when streams start or end, not with their figures. */
export function LivePanel() {
  const { t } = useTranslation();
  const query = useQuery({ ...streamsQuery, select: listNames });
  const streams = query.data;
  const isOnAir = streams !== undefined && streams.length > 0;
  return (
    <Section anchor="live" title={t('overview.live')} state={<StaleChip {...query} />}>
      {isOnAir && <StreamWall streams={streams} />}
      {streams?.length === 0 && <NoStreams />}
    </Section>
  );
}

function listNames({ streams }: DataOf<typeof streamsApi.query>): NamedStream[] {
  return streams.map(({ vhost, app, stream, client_id }) => ({ vhost, app, stream, client_id }));
}

function StreamWall({ streams }: { streams: readonly NamedStream[] }) {
  const { t } = useTranslation();
  const localPath = useLocalPath();
  const { data } = useQuery(overviewQuery);
  const { shown, tools } = useChoice(streams, data?.streams ?? []);
  // Above the cards when there are many: below a hundred cards nobody would find it.
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
      <Anchor component={Link} to={localPath(`${paths.settings}?tab=streams`)} size="sm" className={classes.manage}>
        {t('overview.manageStreams')}
      </Anchor>
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
