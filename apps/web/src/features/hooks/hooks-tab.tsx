import { List, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Hooks } from '@weir/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FactList } from '../../components/ui/facts/fact-list.tsx';
import { JsonText } from '../../components/ui/facts/json-text.tsx';
import { Moment } from '../../components/ui/facts/moment.tsx';
import { Notice } from '../../components/ui/feedback/notice.tsx';
import { PageSkeleton } from '../../components/ui/feedback/page-skeleton.tsx';
import { StaleChip } from '../../components/ui/feedback/stale-chip.tsx';
import { StatePill } from '../../components/ui/feedback/state-pill.tsx';
import { StatusLabel } from '../../components/ui/feedback/status-label.tsx';
import { PageHead } from '../../components/ui/layout/page-head.tsx';
import { Section } from '../../components/ui/layout/section.tsx';
import { DeliveriesPanel } from './deliveries-panel.tsx';
import { failureText } from './failure-text.ts';
import { HooksForm } from './hooks-form.tsx';
import { hooksQuery } from './hooks-queries.ts';
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
