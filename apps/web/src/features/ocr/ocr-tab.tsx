import { Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { OcrConfig, OcrState } from '@weir/contract';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Pipeline } from '../../components/segments/pipeline.tsx';
import { StartStop } from '../../components/segments/service-actions.tsx';
import { PageSkeleton } from '../../components/ui/feedback/page-skeleton.tsx';
import { StaleChip } from '../../components/ui/feedback/stale-chip.tsx';
import { Accordion } from '../../components/ui/layout/accordion.tsx';
import { Introduction } from './introduction.tsx';
import { LastObject } from './last-object.tsx';
import { OcrHeader } from './ocr-header.tsx';
import { ocrQuery, ocrStateQuery } from './ocr-queries.ts';
import { CallbackQueue, CleanupQueue, LiveQueue, OcrQueue } from './ocr-queues.tsx';
import { ServiceForm } from './service/service-form.tsx';
import { useOcrForm } from './service/use-ocr-form.ts';

/** Texts in the picture of a live stream: what runs, the last result, the way of a segment, and the settings. */
export function OcrTab() {
  const query = useQuery(ocrQuery);
  const state = useQuery(ocrStateQuery);
  const failing = [query, state].find(({ data, failureCount }) => !data && failureCount > 0);
  if (failing) return <StaleChip {...failing} />;
  if (!query.data || !state.data) return <PageSkeleton />;
  return (
    <>
      <StaleChip {...state} />
      <Loaded {...query.data} state={state.data} />
    </>
  );
}

/** Keys of the specification: the queues. */
const keys = { live: '2', ocr: '3', callback: '4', cleanup: '5' } as const;
const queueNames = ['live', 'ocr', 'callback', 'cleanup'] as const;

function Loaded({ config, task, state }: { config: OcrConfig; task: { uuid: string }; state: OcrState }) {
  const { t } = useTranslation();
  const form = useOcrForm(config, task.uuid);
  // What is open, and whether lists or settings come first, is decided once: nothing moves when it is started.
  const [wasOn] = useState(config.all);
  const [asked, setAsked] = useState<{ key: string }>();
  const segments = queueNames.reduce((sum, name) => sum + state[name], 0);
  const queue = (name: (typeof queueNames)[number], title: string, content: ReactNode) => ({
    key: keys[name],
    title,
    help: t(`ocr.queueHelp.${name}`),
    state: <span>{t('segments.count', { count: state[name] })}</span>,
    content,
  });
  const results = [
    { key: '6', title: t('ocr.last.title'), help: t('ocr.last.help'), content: <LastObject /> },
    queue('live', t('segments.live'), <LiveQueue />),
    queue('ocr', t('ocr.ocr'), <OcrQueue />),
    queue('callback', t('ocr.cbq'), <CallbackQueue />),
    queue('cleanup', t('ocr.clq'), <CleanupQueue />),
  ];
  const settings = {
    key: '1',
    title: t('segments.service'),
    help: t('ocr.serviceHelp'),
    content: <ServiceForm form={form} segments={segments} />,
  };
  const introduction = { key: '0', title: t('segments.intro'), content: <Introduction /> };
  return (
    <Stack gap="md">
      <OcrHeader
        config={config}
        state={state}
        action={<StartStop form={form} start={t('ocr.start')} stop={t('ocr.stop')} />}
      >
        <Pipeline
          label={t('ocr.pipeline.label')}
          steps={queueNames.map((name) => ({ name, word: t(`ocr.pipeline.${name}`), count: state[name] }))}
          onOpen={(name) => setAsked({ key: keys[name] })}
        />
      </OcrHeader>
      <Accordion
        initial={wasOn ? ['2', '3', '4', '5', '6'] : ['1']}
        asked={asked}
        items={wasOn ? [...results, settings, introduction] : [settings, ...results, introduction]}
      />
    </Stack>
  );
}
