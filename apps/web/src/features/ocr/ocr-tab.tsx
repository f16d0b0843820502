import { useQuery } from '@tanstack/react-query';
import type { OcrConfig, OcrState } from '@weir/contract';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { AiTaskPage, AiTaskTab } from '../../components/ai-task/ai-task-tab.tsx';
import { Introduction } from './introduction.tsx';
import { LastObject } from './last-object.tsx';
import { OcrHeader } from './ocr-header.tsx';
import { ocrQuery, ocrStateQuery } from './ocr-queries.ts';
import { CallbackQueue, CleanupQueue, LiveQueue, OcrQueue } from './ocr-queues.tsx';
import { OcrService } from './service/ocr-service.tsx';
import { useOcrForm } from './service/use-ocr-form.ts';

/** Texts in the picture of a live stream: what runs, the last result, the way of a segment, and the settings. */
export function OcrTab() {
  return (
    <AiTaskTab settings={useQuery(ocrQuery)} state={useQuery(ocrStateQuery)}>
      {(settings, state) => <Loaded {...settings} state={state} />}
    </AiTaskTab>
  );
}

/** Keys of the specification: the queues. */
const keys = { live: '2', ocr: '3', callback: '4', cleanup: '5' } as const;

function Loaded({ config, task, state }: { config: OcrConfig; task: { uuid: string }; state: OcrState }) {
  const { t } = useTranslation();
  const form = useOcrForm(config, task.uuid);
  const queue = (name: keyof typeof keys, title: string, content: ReactNode) => {
    const words = { title, help: t(`ocr.queueHelp.${name}`), word: t(`ocr.pipeline.${name}`) };
    return { key: keys[name], ...words, count: state[name], content };
  };
  return (
    <AiTaskPage
      kind="ocr"
      form={form}
      header={({ pipeline, action }) => (
        <OcrHeader config={config} state={state} action={action}>
          {pipeline}
        </OcrHeader>
      )}
      first={[{ key: '6', title: t('ocr.last.title'), help: t('ocr.last.help'), content: <LastObject /> }]}
      queues={[
        queue('live', t('segments.live'), <LiveQueue />),
        queue('ocr', t('ocr.ocr'), <OcrQueue />),
        queue('callback', t('ocr.cbq'), <CallbackQueue />),
        queue('cleanup', t('ocr.clq'), <CleanupQueue />),
      ]}
      service={<OcrService form={form} segments={state.live + state.ocr + state.callback + state.cleanup} />}
      introduction={<Introduction />}
    />
  );
}
