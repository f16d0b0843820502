import { Button, Switch } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ForwardRow, outletProcessKey } from '@weir/contract';
import { streamLabel, type WirePlace } from '@weir/streams';
import { useTranslation } from 'react-i18next';
import { useOutletTitle } from '../../components/outlets/destination/platforms.ts';
import { LogButton } from '../../components/processes/log-button.tsx';
import { ProcessNumbersText } from '../../components/processes/process-numbers.tsx';
import { ProcessReason } from '../../components/processes/process-reason.tsx';
import { ProcessSince } from '../../components/processes/process-since.tsx';
import { ProcessStateLabel } from '../../components/processes/process-state-label.tsx';
import { ActionTile } from '../../components/streams/action-tile.tsx';
import { DataAge } from '../../components/streams/data-age.tsx';
import { FeedRow } from '../../components/streams/feed-row.tsx';
import { IconArrowFork } from '../../components/ui/theme/icons.ts';
import { paths, useLocalPath } from '../../lib/paths.ts';
import { forwardQueries, sendForward } from './forward-queries.ts';

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

/** Destinations of the stream. */
export function ForwardFeed({ stream }: { stream: WirePlace }) {
  const { data: rows, dataUpdatedAt } = useQuery(forwardQueries.rows);
  const fed = (rows ?? []).filter((row) => row.stream === streamLabel(stream));
  return fed.map((row) => <DestinationRow key={row.platform} row={row} updatedAtMs={dataUpdatedAt} />);
}

function DestinationRow({ row, updatedAtMs }: { row: ForwardRow; updatedAtMs: number }) {
  const { t } = useTranslation();
  const titleOf = useOutletTitle();
  const { data: slots } = useQuery(forwardQueries.slots);
  const title = titleOf(row);
  const slot = slots?.[row.platform];
  const { apply, retry } = useDestinationSwitch(row.platform);
  const { state, starts, numbers } = row.process;
  const isTroubled = state === 'failing' || state === 'reconnecting';
  return (
    <FeedRow
      icon={IconArrowFork}
      title={t('streamPage.feeds.forward', { name: title })}
      // The host alone: the rest of an address may hold a key.
      detail={slot && hostOf(slot.server)}
      state={<ProcessStateLabel report={row.process} tinted={false} />}
      since={<ProcessSince report={row.process} />}
      numbers={
        numbers && (
          <>
            <ProcessNumbersText numbers={numbers} /> <DataAge updatedAtMs={updatedAtMs} />
          </>
        )
      }
      to={`${paths.scenario}?tab=forward`}
      tab={t('forward.tab')}
      actions={
        <>
          {isTroubled && (
            <Button size="xs" variant="default" loading={retry.isPending} onClick={() => retry.mutate()}>
              {t('streamPage.feeds.retry')}
            </Button>
          )}
          {starts > 0 && <LogButton processKey={outletProcessKey('forward', row.platform)} title={title} />}
          <Switch
            aria-label={t('streamPage.feeds.switch', { name: title })}
            checked={apply.isPending ? apply.variables : row.enabled}
            disabled={apply.isPending || !slot}
            onChange={(event) => apply.mutate(event.currentTarget.checked)}
          />
        </>
      }
    >
      {isTroubled && <ProcessReason report={row.process} />}
    </FeedRow>
  );
}

function useDestinationSwitch(platform: string) {
  const queries = useQueryClient();
  const send = async (enabled: boolean) => {
    // Fetched now, so that a change made elsewhere meanwhile is kept.
    const slots = await queries.fetchQuery({ ...forwardQueries.slots, staleTime: 0 });
    const slot = slots[platform];
    if (slot) await sendForward.update({ ...slot, enabled });
  };
  const onSettled = () => queries.invalidateQueries({ queryKey: forwardQueries.key });
  const apply = useMutation({ mutationFn: send, onSettled });
  // A process that waits for its next attempt starts at once when it is switched off and on.
  const retry = useMutation({ mutationFn: () => send(false).then(() => send(true)), onSettled });
  return { apply, retry };
}

function hostOf(server: string): string {
  return URL.canParse(server) ? new URL(server).host : '';
}
