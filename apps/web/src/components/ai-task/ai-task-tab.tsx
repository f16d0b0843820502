import { Stack } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Pipeline } from '../segments/pipeline.tsx';
import { PageSkeleton } from '../ui/feedback/page-skeleton.tsx';
import { StaleChip } from '../ui/feedback/stale-chip.tsx';
import { Accordion, type AccordionItem } from '../ui/layout/accordion.tsx';
import { type ServiceState, StartStop } from './service-actions.tsx';
import type { AiTaskKind } from './use-ai-task-form.ts';

interface AiTaskTabProps<Settings, State> {
  settings: UseQueryResult<Settings, unknown>;
  state: UseQueryResult<State, unknown>;
  children: (settings: Settings, state: State) => ReactNode;
}

/** Settings are fetched once; the running state is polled. */
export function AiTaskTab<Settings, State>({ settings, state, children }: AiTaskTabProps<Settings, State>) {
  const failing = [settings, state].find(({ data, failureCount }) => !data && failureCount > 0);
  if (failing) return <StaleChip {...failing} />;
  if (!settings.data || !state.data) return <PageSkeleton />;
  return (
    <>
      <StaleChip {...state} />
      {children(settings.data, state.data)}
    </>
  );
}

interface Queue {
  /** Item key of the specification. */
  readonly key: string;
  readonly title: string;
  readonly help: string;
  /** Short label in the pipeline view. */
  readonly word: string;
  readonly count: number;
  readonly content: ReactNode;
}

interface AiTaskPageProps {
  kind: AiTaskKind;
  form: ServiceState;
  /** In processing order. */
  queues: readonly Queue[];
  header: (parts: { readonly pipeline: ReactNode; readonly action: ReactNode }) => ReactNode;
  /** Items before or after the queues. */
  first?: readonly AccordionItem[];
  last?: readonly AccordionItem[];
  service: ReactNode;
  introduction: ReactNode;
}

export function AiTaskPage({ kind, form, queues, header, first = [], last = [], ...content }: AiTaskPageProps) {
  const { t } = useTranslation();
  // Decided once, so that nothing moves when the task starts.
  const [wasOn] = useState(form.isOn);
  const [asked, setAsked] = useState<{ key: string }>();
  const results = [
    ...first,
    ...queues.map(({ count, word: _word, ...item }) => ({
      ...item,
      state: <span>{t('segments.count', { count })}</span>,
    })),
    ...last,
  ];
  // Item keys of the specification.
  const service = {
    key: '1',
    title: t('segments.service'),
    help: t(`${kind}.serviceHelp`),
    content: content.service,
  };
  const introduction = { key: '0', title: t('segments.intro'), content: content.introduction };
  const pipeline = (
    <Pipeline
      label={t(`${kind}.pipeline.label`)}
      steps={queues.map(({ key, word, count }) => ({ name: key, word, count }))}
      onOpen={(key) => setAsked({ key })}
    />
  );
  return (
    <Stack gap="md">
      {header({ pipeline, action: <StartStop kind={kind} form={form} /> })}
      <Accordion
        initial={wasOn ? results.map(({ key }) => key) : [service.key]}
        asked={asked}
        items={wasOn ? [...results, service, introduction] : [service, ...results, introduction]}
      />
    </Stack>
  );
}
