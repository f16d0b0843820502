import { Button, Group, List, Stack, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type HookDelivery, type Hooks, hooksApi, isRetriable } from '@weir/contract';
import type { TFunction } from 'i18next';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type Column, DataTable } from '../../components/ui/facts/data-table.tsx';
import { FactList } from '../../components/ui/facts/fact-list.tsx';
import { JsonText } from '../../components/ui/facts/json-text.tsx';
import { Moment } from '../../components/ui/facts/moment.tsx';
import { EmptyState } from '../../components/ui/feedback/empty-state.tsx';
import { Notice } from '../../components/ui/feedback/notice.tsx';
import { Outcome, type OutcomeFacts } from '../../components/ui/feedback/outcome.tsx';
import { PageSkeleton } from '../../components/ui/feedback/page-skeleton.tsx';
import { StaleChip } from '../../components/ui/feedback/stale-chip.tsx';
import { StatePill } from '../../components/ui/feedback/state-pill.tsx';
import { StatusLabel, type Tone } from '../../components/ui/feedback/status-label.tsx';
import { PageHead } from '../../components/ui/layout/page-head.tsx';
import { Section } from '../../components/ui/layout/section.tsx';
import { client } from '../../lib/api.ts';
import { formatBytes, formatClock } from '../../lib/format.ts';
import { notify } from '../../lib/notify.ts';
import { HooksForm } from './hooks-form.tsx';
import { deliveriesQuery, hooksKey, hooksQuery } from './hooks-queries.ts';
import classes from './hooks-tab.module.css';

export function HooksTab() {
  const { t } = useTranslation();
  const query = useQuery(hooksQuery);
  const hooks = query.data;
  if (!hooks && query.failureCount === 0) return <PageSkeleton />;
  if (!hooks) return <StaleChip {...query} />;
  return (
    <>
      <PageHead
        title={t('hooks.tab')}
        state={
          <>
            <HooksPill hooks={hooks} />
            <StaleChip {...query} />
          </>
        }
        purpose={t('nav.purpose.callback')}
        help={{ panel: '0', content: <HooksUsage /> }}
      />
      <HooksPage hooks={hooks} />
    </>
  );
}

/** Failing counts more than on or off: publishers may be refused. */
function HooksPill({ hooks: { all, failure } }: { hooks: Hooks }) {
  const { t } = useTranslation();
  if (!all) return <StatePill tone="off" word={t('hooks.state.inactive')} />;
  if (failure !== '') return <StatePill tone="bad" word={t('hooks.list.failed')} />;
  return <StatePill tone="ok" word={t('hooks.state.active')} />;
}

/** Shows the state of active callbacks first, or the settings while they are off. */
function HooksPage({ hooks }: { hooks: Hooks }) {
  // Decided once, so that nothing moves when callbacks are switched on.
  const [wasActive] = useState(hooks.all);
  const form = <HooksForm key="form" hooks={hooks} />;
  const state = <HooksState key="state" hooks={hooks} />;
  const deliveries = <DeliveriesPanel key="deliveries" hasTarget={hooks.target !== ''} />;
  return <div className={classes.page}>{wasActive ? [state, deliveries, form] : [form, state, deliveries]}</div>;
}

/** Delivery state as the server reports it, independent of the unsaved form. */
function HooksState({ hooks }: { hooks: Hooks }) {
  const { t, i18n } = useTranslation();
  const { all, target, waiting, triedAt, status, tookMs, req, res } = hooks;
  const failed = failureText(t, hooks, i18n.language);
  const facts = [
    { term: t('hooks.state.target'), value: target === '' ? t('hooks.state.noTarget') : target },
    { term: t('hooks.state.waiting'), value: waiting },
    { term: t('hooks.state.triedAt'), value: triedAt === '' ? t('hooks.state.never') : <Moment at={triedAt} /> },
    ...(status > 0 ? [{ term: t('hooks.state.status'), value: status }] : []),
    ...(triedAt !== '' ? [{ term: t('hooks.state.took'), value: t('hooks.state.ms', { ms: tookMs }) }] : []),
  ];
  const [tone, word] = all ? (['ok', t('hooks.state.active')] as const) : (['off', t('hooks.state.inactive')] as const);
  return (
    <Section
      panel="2"
      title={t('hooks.state.title')}
      help={t('hooks.state.note')}
      state={<StatusLabel tone={tone} word={word} tinted />}
    >
      <Stack gap="md">
        {failed.length > 0 && (
          <Notice tone="bad" title={t('hooks.state.failed')}>
            {failed.map((line) => (
              <Text key={line} size="sm">
                {line}
              </Text>
            ))}
          </Notice>
        )}
        <FactList facts={facts} />
        {req !== '' && (
          <div className={classes.exchange}>
            <Message title={t('hooks.state.req')} text={req} />
            <Message title={t('hooks.state.res')} text={res} />
          </div>
        )}
      </Stack>
    </Section>
  );
}

function Message({ title, text }: { title: string; text: string }) {
  const { t } = useTranslation();
  return (
    <div>
      <Text size="sm" fw={600} mb={4}>
        {title}
      </Text>
      {text === '' ? <Text size="sm">{t('hooks.state.noRes')}</Text> : <JsonText label={title} text={text} />}
    </div>
  );
}

const uses = ['ask', 'tell', 'check'] as const;

function HooksUsage() {
  const { t } = useTranslation();
  return (
    <>
      <Text size="sm" maw={760} mb="sm">
        {t('hooks.intro.summary')}
      </Text>
      <List size="sm" maw={760} spacing="xs">
        {uses.map((use) => (
          <List.Item key={use}>{t(`hooks.intro.${use}`)}</List.Item>
        ))}
      </List>
    </>
  );
}

function DeliveriesPanel({ hasTarget }: { hasTarget: boolean }) {
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

type TestedFailure = Pick<Hooks, 'failure' | 'fact' | 'said'>;

/** Sentences for a failed delivery: ours, then the receiver's words. Empty if it succeeded. */
function failureText(t: TFunction, { failure, fact, said }: TestedFailure, locale: string): string[] {
  if (failure === '') return [];
  return [failureSentence(t, failure, fact, locale), ...(said === '' ? [] : [t('hooks.said', { said })])];
}

function failureSentence(
  t: TFunction,
  failure: Exclude<TestedFailure['failure'], ''>,
  fact: string,
  locale: string,
): string {
  const connection = connectionFaults[fact];
  if (failure === 'no-connection' && connection) return t(`hooks.connection.${connection}`);
  const certificate = certificateFaults[fact];
  if (failure === 'bad-certificate' && certificate) return t(`hooks.certificate.${certificate}`);
  const isSize = failure === 'too-large' && fact !== '';
  // Older servers stored no fact.
  return t(`hooks.failure.${failure}`, { fact: isSize ? formatBytes(Number(fact), locale) : fact || '?' });
}

/** Texts by the system's error name; other errors are described by their kind. */
const connectionFaults: Readonly<Record<string, 'refused' | 'closed' | 'unreachable' | 'silent' | 'noTls' | 'noHttp'>> =
  {
    ECONNREFUSED: 'refused',
    ECONNRESET: 'closed',
    EPIPE: 'closed',
    EHOSTUNREACH: 'unreachable',
    ENETUNREACH: 'unreachable',
    ETIMEDOUT: 'silent',
    'no-tls': 'noTls',
    'no-http': 'noHttp',
  };

const certificateFaults: Readonly<Record<string, 'expired' | 'early' | 'selfSigned' | 'otherName' | 'issuer'>> = {
  CERT_HAS_EXPIRED: 'expired',
  CERT_NOT_YET_VALID: 'early',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'selfSigned',
  SELF_SIGNED_CERT_IN_CHAIN: 'issuer',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'issuer',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'issuer',
  ERR_TLS_CERT_ALTNAME_INVALID: 'otherName',
};
