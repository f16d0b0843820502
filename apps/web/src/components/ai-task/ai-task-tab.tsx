import { Stack, Text } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Pipeline } from '../segments/pipeline.tsx';
import { PageSkeleton } from '../ui/feedback/page-skeleton.tsx';
import { StaleChip } from '../ui/feedback/stale-chip.tsx';
import { StatePill } from '../ui/feedback/state-pill.tsx';
import type { Tone } from '../ui/feedback/status-label.tsx';
import { Accordion } from '../ui/layout/accordion.tsx';
import { PageHead } from '../ui/layout/page-head.tsx';
import { PagePart } from '../ui/layout/page-part.tsx';
import { Section } from '../ui/layout/section.tsx';
import classes from './ai-task.module.css';
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
  state: { readonly tone: Tone; readonly word: string };
  /** One line: what runs. */
  purpose: ReactNode;
  /** Picture with text. */
  picture: ReactNode;
  /** Text beside the picture. */
  text: ReactNode;
  /** Details below the picture. */
  details: ReactNode;
  /** True if it is off and nothing of an earlier run is left: there is no picture and no text yet. */
  isUnused: boolean;
  /** In processing order. */
  queues: readonly Queue[];
  /** Output of the task. */
  result: { readonly title: string; readonly help: string; readonly content: ReactNode };
  /** Second action of the page, before start and stop. */
  action?: ReactNode;
  service: ReactNode;
  introduction: ReactNode;
}

/** Page of an AI task: picture and text first, then what it has produced, its settings and its queues. */
export function AiTaskPage(props: AiTaskPageProps) {
  const { t } = useTranslation();
  const { kind, form, state, purpose, picture, text, details, isUnused, queues, action } = props;
  // Decided once, so that nothing moves when the task starts.
  const [wasOn] = useState(form.isOn);
  const [askedQueue, setAskedQueue] = useState<{ key: string }>();
  const result = (
    <Section panel="6" title={props.result.title} help={props.result.help}>
      {props.result.content}
    </Section>
  );
  return (
    <>
      <PageHead
        title={t(`${kind}.title`)}
        state={<StatePill {...state} />}
        purpose={purpose}
        action={
          <>
            {action}
            <StartStop kind={kind} form={form} />
          </>
        }
        help={{ panel: '0', content: props.introduction }}
      />
      <Stack gap="lg">
        {isUnused ? (
          details
        ) : (
          <div className={classes.stage}>
            <div className={classes.picture}>{picture}</div>
            <div className={classes.text}>{text}</div>
            <div className={classes.details}>{details}</div>
          </div>
        )}
        {wasOn && result}
        <PagePart panel="1" title={t('segments.service')}>
          {props.service}
        </PagePart>
        {!wasOn && result}
        <Section title={t('segments.pipeline')} help={t('segments.pipelineHelp')}>
          <Stack gap="md">
            {form.isOn ? (
              <Pipeline
                label={t(`${kind}.pipeline.label`)}
                steps={queues.map(({ key, word, count }) => ({ name: key, word, count }))}
                onOpen={(key) => setAskedQueue({ key })}
              />
            ) : (
              queues.some(({ count }) => count > 0) && (
                <Text size="sm" c="dimmed">
                  {t('segments.stopped')}
                </Text>
              )
            )}
            <Accordion
              isInner
              initial={wasOn ? queues.map(({ key }) => key) : []}
              asked={askedQueue}
              items={queues.map(({ count, word: _word, ...item }) => ({
                ...item,
                state: <span>{t('segments.count', { count })}</span>,
              }))}
            />
          </Stack>
        </Section>
      </Stack>
    </>
  );
}
