import { type TranscriptConfig, transcriptApi } from '@weir/contract';
import { useAiTaskForm } from '../../../components/ai-task/use-ai-task-form.ts';
import { client } from '../../../lib/api.ts';
import { useLocale } from '../../../lib/i18n.ts';
import { transcriptKey, transcriptQuery } from '../transcript-queries.ts';
import {
  type DraftProblem,
  draftProblem,
  refusedField,
  type SentConfig,
  type ServiceTab,
  type TranscriptDraft,
  toDraft,
  toSentConfig,
} from './transcript-draft.ts';

export function useTranscriptForm(saved: TranscriptConfig, uuid: string) {
  const locale = useLocale();
  const { captions: _captions, ...sent } = saved;
  return useAiTaskForm<SentConfig, TranscriptDraft, DraftProblem, ServiceTab>({
    saved: sent,
    uuid,
    configOf: toSentConfig,
    savedDraft: toDraft(saved, locale),
    keys: { all: transcriptKey, config: transcriptQuery.queryKey },
    problemOf: (draft) => draftProblem(draft, saved),
    apply: (body) => client.call(transcriptApi.apply, body),
    reset: (task) => client.call(transcriptApi.reset, task),
    refused: refusedField,
  });
}
export type TranscriptForm = ReturnType<typeof useTranscriptForm>;
