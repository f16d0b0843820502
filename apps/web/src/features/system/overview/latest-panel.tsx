import { useQueries, useQuery } from '@tanstack/react-query';
import { streamLabel } from '@weir/streams';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useOutletTitle } from '../../../components/outlets/destination/platforms.ts';
import { describeEntry } from '../../../components/timeline/entry-text.ts';
import { broadcastsQuery, timelineQuery } from '../../../components/timeline/timeline-queries.ts';
import { Ago } from '../../../components/ui/facts/moment.tsx';
import { StatusLabel } from '../../../components/ui/feedback/status-label.tsx';
import { PagePart } from '../../../components/ui/layout/page-part.tsx';
import { useLocale } from '../../../lib/i18n.ts';
import { paths, useLocalPath } from '../../../lib/paths.ts';
import classes from './lately.module.css';

/** As many broadcasts as the list of broadcasts below shows, so that both share one response. */
const broadcastsRead = 5;
const mostShown = 6;

/** Newest events of the newest broadcasts. */
export function LatestPanel() {
  const { t } = useTranslation();
  const locale = useLocale();
  const localPath = useLocalPath();
  const titleOf = useOutletTitle();
  const { data } = useQuery(broadcastsQuery(undefined, broadcastsRead));
  const timelines = useQueries({
    queries: (data?.broadcasts ?? []).map(({ id, vhost, app, stream }) =>
      timelineQuery({ id, vhost, app, stream }, false),
    ),
  });
  const events = timelines
    .flatMap(({ data: one }) => one?.entries.map((entry) => ({ entry, broadcast: one.broadcast })) ?? [])
    .sort((a, b) => b.entry.at.localeCompare(a.entry.at))
    .slice(0, mostShown);
  if (events.length === 0) return null;
  const slotName = (platform: string) => titleOf({ platform, custom: false, label: '' });
  return (
    <PagePart title={t('overview.latest')}>
      <ul className={classes.rows} aria-label={t('overview.latest')}>
        {events.map(({ entry, broadcast }) => {
          const { tone, title } = describeEntry(entry, { t, locale, slotName });
          return (
            <li key={`${broadcast?.id} ${entry.id}`} className={classes.event}>
              <StatusLabel tone={tone} word={title} />
              {broadcast && (
                <Link
                  data-touch
                  to={localPath(`${paths.scenario}?tab=overview&broadcast=${broadcast.id}#timeline`)}
                  className={classes.name}
                >
                  {streamLabel(broadcast)}
                </Link>
              )}
              <span className={classes.ago}>
                <Ago at={entry.at} />
              </span>
            </li>
          );
        })}
      </ul>
    </PagePart>
  );
}
