import { useQuery } from '@tanstack/react-query';
import { streamLabel, type WirePlace } from '@weir/streams';
import { useTranslation } from 'react-i18next';
import { ActionTile } from '../../components/streams/action-tile.tsx';
import { IconArrowFork } from '../../components/ui/theme/icons.ts';
import { paths, useLocalPath } from '../../lib/paths.ts';
import { forwardQueries } from './forward-queries.ts';

/** Leads to the destinations, and counts those of the stream. */
export function ForwardAction({ stream }: { stream: WirePlace }) {
  const { t } = useTranslation();
  const localPath = useLocalPath();
  const { data: rows } = useQuery(forwardQueries.rows);
  if (!rows) return null;
  const count = rows.filter((row) => row.enabled && row.stream === streamLabel(stream)).length;
  return (
    <ActionTile
      icon={IconArrowFork}
      title={t('live.next.forward')}
      detail={count === 0 ? t('streamPage.actions.noDestination') : t('streamPage.actions.destinations', { count })}
      to={localPath(`${paths.scenario}?tab=forward`)}
    />
  );
}
