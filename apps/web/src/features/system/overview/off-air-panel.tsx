import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Broadcast } from '@weir/contract';
import { placeText, streamLabel } from '@weir/streams';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { StreamLink } from '../../../components/streams/stream-link.tsx';
import { streamsQuery } from '../../../components/streams/streams-queries.ts';
import { Thumbnail } from '../../../components/streams/thumbnail.tsx';
import { broadcastsQuery } from '../../../components/timeline/timeline-queries.ts';
import { PagePart } from '../../../components/ui/layout/page-part.tsx';
import { formatAgo, formatDuration } from '../../../lib/format.ts';
import { useLocale } from '../../../lib/i18n.ts';
import { paths, useLocalPath } from '../../../lib/paths.ts';
import classes from './lately.module.css';

const broadcastsRead = 50;
const mostShown = 4;
const weekMs = 7 * 86_400_000;

/** Streams that were live in the last week and are not now, with their last picture. */
export function OffAirPanel() {
  const { t } = useTranslation();
  const { data: streams } = useQuery({ ...streamsQuery, select: (data) => data.streams.map(placeText).join('\n') });
  const { data } = useQuery(broadcastsQuery(undefined, broadcastsRead));
  if (!data || streams === undefined) return null;
  const off = listOffAir(data.broadcasts, streams.split('\n'));
  if (off.length === 0) return null;
  return (
    <PagePart title={t('overview.offAir')} note={t('overview.offAirCount', { count: off.length })}>
      <ul className={classes.rows} aria-label={t('overview.offAir')}>
        {off.slice(0, mostShown).map((broadcast) => (
          <OffAirRow key={broadcast.id} broadcast={broadcast} />
        ))}
      </ul>
    </PagePart>
  );
}

/** The newest broadcast of each stream that has ended lately. */
function listOffAir(broadcasts: readonly Broadcast[], live: readonly string[]): Broadcast[] {
  const seen = new Set(live);
  return broadcasts.filter((broadcast) => {
    const name = placeText(broadcast);
    if (seen.has(name)) return false;
    seen.add(name);
    return broadcast.endedAt !== '' && Date.now() - Date.parse(broadcast.endedAt) < weekMs;
  });
}

function OffAirRow({ broadcast }: { broadcast: Broadcast }) {
  const { t } = useTranslation();
  const locale = useLocale();
  const localPath = useLocalPath();
  const { endedAt, seconds, recordings } = broadcast;
  const recording = recordings.at(-1);
  const name = streamLabel(broadcast);
  return (
    <li className={classes.row}>
      <div className={classes.picture}>
        <Thumbnail stream={broadcast} isLive={false} />
      </div>
      <div className={classes.text}>
        <StreamLink stream={broadcast} className={classes.name} />
        <span className={classes.note}>
          {t('overview.offAirSince', {
            ago: formatAgo(new Date(endedAt), new Date(), locale),
            duration: formatDuration(seconds, locale),
          })}
        </span>
      </div>
      {recording === undefined ? (
        <Button
          component={Link}
          to={localPath(`${paths.scenario}?tab=live`)}
          variant="default"
          size="xs"
          aria-label={t('overview.publishWhat', { name })}
        >
          {t('overview.publish')}
        </Button>
      ) : (
        <Button
          component={Link}
          to={localPath(`${paths.scenario}?tab=record&recording=${encodeURIComponent(recording)}`)}
          variant="default"
          size="xs"
          aria-label={t('overview.playWhat', { name })}
        >
          {t('overview.play')}
        </Button>
      )}
    </li>
  );
}
