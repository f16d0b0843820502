import { type OcrConfig, ocrApi } from '@weir/contract';
import { useTranslation } from 'react-i18next';
import { useAiTaskForm } from '../../../components/ai-task/use-ai-task-form.ts';
import { client } from '../../../lib/api.ts';
import { notify } from '../../../lib/notify.ts';
import { ocrKey, ocrQuery } from '../ocr-queries.ts';
import { type DraftProblem, draftProblem, type OcrDraft, type ServiceTab, toDraft, toOcrConfig } from './ocr-draft.ts';

export function useOcrForm(saved: OcrConfig, uuid: string) {
  const { t } = useTranslation();
  return useAiTaskForm<OcrConfig, OcrDraft, DraftProblem, ServiceTab>({
    saved,
    uuid,
    configOf: toOcrConfig,
    savedDraft: toDraft(saved, t('ocr.defaultPrompt')),
    keys: { all: ocrKey, config: ocrQuery.queryKey },
    problemOf: (draft) => draftProblem(draft, saved),
    apply: (body) => client.call(ocrApi.apply, body),
    reset: (task) => client.call(ocrApi.reset, task),
    announce(problem) {
      if (problem.tab !== 'provider') return;
      // In the words of the specification; the field says what to do.
      notify.failure(t(problem.provider.field === 'baseURL' ? 'ocr.invalidUrl' : 'ocr.invalidKey'));
    },
  });
}
export type OcrForm = ReturnType<typeof useOcrForm>;
