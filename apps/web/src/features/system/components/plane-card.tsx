import { Button } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { componentsApi, consoleTimes, type DataOf, type Plane, type PlaneName } from '@weir/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { LastExit } from '../../../components/processes/last-exit.tsx';
import { protocolName } from '../../../components/streams/facts/protocol-name.ts';
import { streamsQuery } from '../../../components/streams/streams-queries.ts';
import { FactList } from '../../../components/ui/facts/fact-list.tsx';
import { ConfirmDialog } from '../../../components/ui/feedback/confirm-dialog.tsx';
import { type Freshness, StaleChip } from '../../../components/ui/feedback/stale-chip.tsx';
import { StatusLabel } from '../../../components/ui/feedback/status-label.tsx';
import { Section } from '../../../components/ui/layout/section.tsx';
import { client } from '../../../lib/api.ts';
import { formatBytes, formatDuration } from '../../../lib/format.ts';
import { useLocale } from '../../../lib/i18n.ts';
import { notify } from '../../../lib/notify.ts';
import { useEngineLacks } from '../../../lib/queries/use-engine-lacks.ts';
import { componentsQuery } from './components-queries.ts';

interface Props {
  plane: Plane;
  /** Its workers that ended unexpectedly. */
  failedWorkers?: DataOf<typeof componentsApi.query>['failedWorkers'];
  freshness: Freshness;
}

/** Process of the engine or the server, with the button that restarts it. */
export function PlaneCard({ plane, failedWorkers = [], freshness }: Props) {
  const { t } = useTranslation();
  const locale = useLocale();
  const lacksProcess = useEngineLacks('process');
  const part = plane.name === 'engine' && lacksProcess ? 'frontDoor' : plane.name;
  const [isAsking, setIsAsking] = useState(false);
  // Process that is being restarted. Polls faster until its successor runs.
  const [endingPid, setEndingPid] = useState<number>();
  const isRestarting = endingPid !== undefined && (plane.pid === endingPid || !plane.ready);
  useQuery({ ...componentsQuery, ...(isRestarting && { refetchInterval: consoleTimes.restartWatchMs }) });

  return (
    <Section
      anchor={plane.name}
      title={t(`coms.${part}.title`)}
      help={t(`coms.${part}.help`)}
      state={
        freshness.failureCount > 0 && !isRestarting ? (
          <StaleChip {...freshness} />
        ) : (
          <PlaneLabel {...{ plane, isRestarting }} />
        )
      }
    >
      <FactList
        facts={[
          { term: t('coms.pid'), value: plane.pid || '–' },
          { term: t('coms.uptime'), value: plane.pid ? formatDuration(plane.uptimeSeconds, locale) : '–' },
          { term: t('coms.memory'), value: plane.memoryBytes === null ? '–' : formatBytes(plane.memoryBytes, locale) },
          { term: t('coms.restarts'), value: plane.restarts || t('coms.restartsNone') },
          { term: t('process.exit.label'), value: <LastExit exit={plane.lastExit} /> },
          ...failedWorkers.map(({ name, lastExit }) => ({
            term: name === 'delivery' ? t('coms.deliveryExit') : t('coms.workerExit', { name: protocolName(name) }),
            value: <LastExit exit={lastExit} />,
          })),
        ]}
      />
      <Button variant="default" mt="md" disabled={isRestarting} onClick={() => setIsAsking(true)}>
        {t(`coms.${part}.restart`)}
      </Button>
      <RestartDialog
        name={plane.name}
        part={part}
        opened={isAsking}
        onAsked={() => setEndingPid(plane.pid)}
        onClose={() => setIsAsking(false)}
      />
    </Section>
  );
}

function PlaneLabel({ plane, isRestarting }: { plane: Plane; isRestarting: boolean }) {
  const { t } = useTranslation();
  if (isRestarting || (plane.pid > 0 && !plane.ready)) {
    return <StatusLabel tone="busy" word={t('coms.restarting')} tinted />;
  }
  return plane.ready ? (
    <StatusLabel tone="ok" word={t('coms.running')} tinted />
  ) : (
    <StatusLabel tone="bad" word={t('coms.away')} tinted />
  );
}

interface RestartDialogProps {
  name: PlaneName;
  /** Without an own media server, the engine's process is only a front door. */
  part: PlaneName | 'frontDoor';
  opened: boolean;
  /** Called when the server has accepted the request. */
  onAsked: () => void;
  onClose: () => void;
}

/** Names what a restart interrupts; for the engine with the current number of clients. */
function RestartDialog({ name, part, opened, onAsked, onClose }: RestartDialogProps) {
  const { t } = useTranslation();
  const streams = useQuery({ ...streamsQuery, enabled: opened && part === 'engine' }).data?.streams ?? [];
  const viewers = streams.reduce((sum, { media }) => sum + (media?.viewers ?? 0), 0);
  const onAir = part === 'engine' && streams.length > 0 ? t('coms.onAir', { count: streams.length, viewers }) : '';
  const restart = useMutation({
    mutationFn: () => client.call(componentsApi.restart, { name }),
    onSuccess: () => {
      onAsked();
      notify.success(t(`coms.${part}.asked`));
    },
    onSettled: onClose,
  });
  return (
    <ConfirmDialog
      opened={opened}
      title={t(`coms.${part}.restart`)}
      text={[onAir, t(`coms.${part}.warning`)].filter((part) => part !== '').join(' ')}
      action={t(`coms.${part}.restart`)}
      busy={restart.isPending}
      onConfirm={() => restart.mutate()}
      onClose={onClose}
    />
  );
}
