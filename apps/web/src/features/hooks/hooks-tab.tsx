import { List, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Hooks } from '@weir/contract';
import { useTranslation } from 'react-i18next';
import { FactList } from '../../components/ui/facts/fact-list.tsx';
import { JsonText } from '../../components/ui/facts/json-text.tsx';
import { Moment } from '../../components/ui/facts/moment.tsx';
import { Notice } from '../../components/ui/feedback/notice.tsx';
import { PageSkeleton } from '../../components/ui/feedback/page-skeleton.tsx';
import { StaleChip } from '../../components/ui/feedback/stale-chip.tsx';
import { StatePill } from '../../components/ui/feedback/state-pill.tsx';
import { StatusLabel } from '../../components/ui/feedback/status-label.tsx';
import { Accordion } from '../../components/ui/layout/accordion.tsx';
import { PageHead } from '../../components/ui/layout/page-head.tsx';
import { DeliveriesPanel } from './deliveries-panel.tsx';
import { failureText } from './failure-text.ts';
import { HooksForm } from './hooks-form.tsx';
import { hooksQuery } from './hooks-queries.ts';

export function HooksTab() {
  const { t } = useTranslation();
  const query = useQuery(hooksQuery);
  const hooks = query.data;
  if (!hooks && query.failureCount === 0) return <PageSkeleton />;
  if (!hooks) return <StaleChip {...query} />;
  const [tone, word] = hooks.all
    ? (['ok', t('hooks.state.active')] as const)
    : (['off', t('hooks.state.inactive')] as const);
  return (
    <>
      <PageHead
        title={t('hooks.tab')}
        state={<StatePill tone={tone} word={word} />}
        purpose={t('nav.purpose.callback')}
        help={{ panel: '0', content: <HooksUsage /> }}
      />
      <Stack gap="md">
        <Accordion
          initial={hooks.all ? '2' : '1'}
          items={[
            {
              key: '1',
              title: t('hooks.form.title'),
              help: t('hooks.form.help'),
              state: <StaleChip {...query} />,
              content: <HooksForm hooks={hooks} />,
            },
            {
              key: '2',
              title: t('hooks.state.title'),
              help: t('hooks.state.help'),
              state: <StatusLabel tone={tone} word={word} tinted />,
              content: <HooksState hooks={hooks} />,
            },
          ]}
        />
        <DeliveriesPanel hasTarget={hooks.target !== ''} />
      </Stack>
    </>
  );
}

/** Delivery state as the server reports it, independent of the unsaved form. */
function HooksState({ hooks }: { hooks: Hooks }) {
  const { t, i18n } = useTranslation();
  const { target, waiting, triedAt, status, tookMs, req, res } = hooks;
  const failed = failureText(t, hooks, i18n.language);
  const facts = [
    { term: t('hooks.state.target'), value: target === '' ? t('hooks.state.noTarget') : target },
    { term: t('hooks.state.waiting'), value: waiting },
    { term: t('hooks.state.triedAt'), value: triedAt === '' ? t('hooks.state.never') : <Moment at={triedAt} /> },
    ...(status > 0 ? [{ term: t('hooks.state.status'), value: status }] : []),
    ...(triedAt !== '' ? [{ term: t('hooks.state.took'), value: t('hooks.state.ms', { ms: tookMs }) }] : []),
  ];
  return (
    <Stack gap="md">
      <Text size="sm" c="dimmed">
        {t('hooks.state.note')}
      </Text>
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
        <div>
          <Text size="sm" fw={600}>
            {t('hooks.state.req')}
          </Text>
          <JsonText label={t('hooks.state.req')} text={req} />
        </div>
      )}
      {req !== '' && (
        <div>
          <Text size="sm" fw={600}>
            {t('hooks.state.res')}
          </Text>
          {res === '' ? (
            <Text size="sm">{t('hooks.state.noRes')}</Text>
          ) : (
            <JsonText label={t('hooks.state.res')} text={res} />
          )}
        </div>
      )}
    </Stack>
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
