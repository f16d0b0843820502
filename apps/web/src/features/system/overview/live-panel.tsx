import { Anchor } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ActiveStream } from '@weir/contract';
import { streamLabel } from '@weir/dialect';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { StreamHealth } from '../../../components/diagnosis/stream-health.tsx';
import { NoStreams } from '../../../components/streams/no-streams.tsx';
import { streamsQuery } from '../../../components/streams/streams-queries.ts';
import { Moment } from '../../../components/ui/facts/moment.tsx';
import { StaleChip } from '../../../components/ui/feedback/stale-chip.tsx';
import { StatusLabel } from '../../../components/ui/feedback/status-label.tsx';
import { Section } from '../../../components/ui/layout/section.tsx';
import { paths, useLocalPath } from '../../../lib/paths.ts';
import classes from './live-panel.module.css';

/** Each costs a call every few seconds; of more than these the newest are judged. */
const mostJudged = 12;

/** What is on air, since when, and how it does. */
export function LivePanel() {
  const { t } = useTranslation();
  const query = useQuery(streamsQuery);
  const streams = query.data?.streams;
  const isOnAir = streams !== undefined && streams.length > 0;
  return (
    <Section
      anchor="live"
      title={t('overview.live')}
      state={
        isOnAir && query.failureCount === 0 ? (
          <StatusLabel tone="ok" word={t('overview.onAir', { number: streams.length })} tinted />
        ) : (
          <StaleChip {...query} />
        )
      }
    >
      {isOnAir && <StreamList streams={streams} />}
      {streams?.length === 0 && <NoStreams />}
    </Section>
  );
}

function StreamList({ streams }: { streams: readonly ActiveStream[] }) {
  const { t } = useTranslation();
  const localPath = useLocalPath();
  return (
    <>
      <ul className={classes.streams}>
        {streams.map((stream, index) => (
          <li key={stream.client_id} className={classes.stream}>
            <span className={classes.name}>{streamLabel(stream)}</span>
            <span className={classes.since}>
              {t('overview.since')} <Moment at={stream.update} />
            </span>
            {index < mostJudged && (
              <div className={classes.health}>
                <StreamHealth stream={stream} />
              </div>
            )}
          </li>
        ))}
      </ul>
      <Anchor component={Link} to={localPath(`${paths.settings}?tab=streams`)} size="sm">
        {t('overview.manageStreams')}
      </Anchor>
    </>
  );
}
