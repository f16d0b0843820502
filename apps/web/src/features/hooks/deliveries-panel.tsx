import { Button, Group, Stack, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type HookDelivery, hooksApi, isRetriable } from '@weir/contract';
import { useTranslation } from 'react-i18next';
import { type Column, DataTable } from '../../components/ui/facts/data-table.tsx';
import { Moment } from '../../components/ui/facts/moment.tsx';
import { EmptyState } from '../../components/ui/feedback/empty-state.tsx';
import { Outcome, type OutcomeFacts } from '../../components/ui/feedback/outcome.tsx';
import { StaleChip } from '../../components/ui/feedback/stale-chip.tsx';
import { StatusLabel, type Tone } from '../../components/ui/feedback/status-label.tsx';
import { Section } from '../../components/ui/layout/section.tsx';
import { client } from '../../lib/api.ts';
import { formatClock } from '../../lib/format.ts';
import { notify } from '../../lib/notify.ts';
import classes from './deliveries-panel.module.css';
import { failureText } from './failure-text.ts';
import { deliveriesQuery, hooksKey } from './hooks-queries.ts';

export function DeliveriesPanel({ hasTarget }: { hasTarget: boolean }) {
  const { t } = useTranslation();
  const query = useQuery(deliveriesQuery);
  const columns = useColumns();
  const test = useTest();
  const deliveries = query.data?.deliveries;
  return (
    <Section title={t('hooks.list.title')} help={t('hooks.list.help')} state={<StaleChip {...query} />}>
      <Group mb="md">
        <Button variant="default" loading={test.isPending} disabled={!hasTarget} onClick={() => test.mutate()}>
          {t('hooks.list.test')}
        </Button>
        <Outcome outcome={test.outcome} />
        {!test.outcome && (
          <Text size="sm" c="dimmed">
            {t('hooks.list.testTip')}
          </Text>
        )}
      </Group>
      {deliveries?.length === 0 && <EmptyState title={t('hooks.list.empty')} text={t('hooks.list.emptyText')} />}
      {deliveries && deliveries.length > 0 && (
        <DataTable
          label={t('hooks.list.title')}
          columns={columns}
          rows={deliveries}
          keyOf={({ request_id }) => request_id}
          actionsTitle={t('helper.actions')}
          actions={(delivery) => isRetriable(delivery) && <RetryButton delivery={delivery} />}
        />
      )}
    </Section>
  );
}

/** The action stays on one line; the stream name, which may be long, is cut. */
function What({ delivery: { action, stream } }: { delivery: HookDelivery }) {
  return (
    <Stack gap={2}>
      <span className={classes.action}>{action}</span>
      {stream !== '' && (
        <Text size="xs" c="dimmed">
          {stream}
        </Text>
      )}
    </Stack>
  );
}

const tones: Record<HookDelivery['state'], Tone> = { delivered: 'ok', refused: 'bad', failed: 'bad', waiting: 'busy' };

function Result({ delivery }: { delivery: HookDelivery }) {
  const { t, i18n } = useTranslation();
  const { state, nextAt } = delivery;
  const lines = [
    ...failureText(t, delivery, i18n.language),
    ...(nextAt === '' ? [] : [t('hooks.list.next', { time: formatClock(new Date(nextAt)) })]),
  ];
  return (
    <Stack gap={2}>
      <StatusLabel tone={tones[state]} word={t(`hooks.list.${state}`)} />
      {lines.map((line) => (
        <Text key={line} size="xs" c="dimmed" className={classes.error}>
          {line}
        </Text>
      ))}
    </Stack>
  );
}

function useColumns(): Column<HookDelivery>[] {
  const { t } = useTranslation();
  return [
    { title: t('hooks.list.event'), render: (delivery) => <What delivery={delivery} />, isName: true },
    { title: t('hooks.list.result'), render: (delivery) => <Result delivery={delivery} /> },
    { title: t('hooks.list.tries'), render: ({ attempts }) => attempts },
    { title: t('hooks.state.status'), render: ({ status }) => (status > 0 ? status : '–') },
    {
      title: t('hooks.list.took'),
      render: ({ triedAt, tookMs }) => (triedAt === '' ? '–' : t('hooks.state.ms', { ms: tookMs })),
    },
    { title: t('hooks.list.when'), render: ({ createdAt }) => <Moment at={createdAt} /> },
  ];
}

function RetryButton({ delivery: { request_id, action, stream } }: { delivery: HookDelivery }) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const retry = useMutation({
    mutationFn: () => client.call(hooksApi.retry, { request_id }),
    onSuccess: () => notify.success(t('hooks.list.retryOk')),
    onSettled: () => queries.invalidateQueries({ queryKey: hooksKey }),
  });
  return (
    <Button
      variant="default"
      size="xs"
      loading={retry.isPending}
      aria-label={t('hooks.list.retryWhat', { action, stream })}
      onClick={() => retry.mutate()}
    >
      {t('hooks.list.retry')}
    </Button>
  );
}

function useTest() {
  const { t, i18n } = useTranslation();
  const queries = useQueryClient();
  const test = useMutation({
    mutationFn: () => client.call(hooksApi.test, {}),
    onSettled: () => queries.invalidateQueries({ queryKey: hooksKey }),
  });
  const [reason] = test.data ? failureText(t, test.data, i18n.language) : [];
  const outcome: OutcomeFacts | undefined = test.data && {
    isGood: reason === undefined,
    text: reason === undefined ? t('hooks.list.testOk', { ms: test.data.tookMs }) : t('hooks.list.testBad', { reason }),
  };
  return { isPending: test.isPending, mutate: () => test.mutate(), outcome };
}
