import { useMutation, useQueryClient } from '@tanstack/react-query';
import { ApiError } from '@weir/client';
import { outletLimits, type TranscriptConfig, transcriptApi } from '@weir/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { causeOf } from '../../../components/ai/cause-of.ts';
import { useLock } from '../../../components/outlets/use-lock.ts';
import { useDraft } from '../../../components/settings-form/use-draft.ts';
import { client } from '../../../lib/api.ts';
import { useLocale } from '../../../lib/i18n.ts';
import { notify } from '../../../lib/notify.ts';
import { transcriptKey, transcriptQuery } from '../transcript-queries.ts';
import {
  configOf,
  type DraftProblem,
  draftOf,
  draftProblem,
  refusedField,
  type SentConfig,
  type ServiceTab,
  type TranscriptDraft,
} from './transcript-draft.ts';

type Action = 'save' | 'start' | 'stop';

/** The settings of transcripts, and the four things to do with them: save, start, stop, reset. */
export function useTranscriptForm(saved: TranscriptConfig, uuid: string) {
  const locale = useLocale();
  const { value: draft, changed, edit, forget } = useDraft(draftOf(saved, locale));
  const [problem, setProblem] = useState<DraftProblem>();
  const [tab, setTab] = useState<ServiceTab>('provider');
  const { isLocked, lock } = useLock(outletLimits.lockMs);
  const apply = useApply();
  const { captions: _captions, ...running } = saved;
  const reset = useReset(uuid);

  const tell = (found: DraftProblem | undefined) => {
    setProblem(found);
    if (found) setTab(found.tab);
  };
  const send = (config: SentConfig, action: Action) => {
    if (apply.isPending) return;
    const body = { ...config, uuid };
    apply.mutate(
      { body, action },
      {
        onSuccess: () => action !== 'stop' && forget(),
        onError: (error) => {
          tell(refusedField(error.message));
          // Told by its cause, beside the choice of a provider.
          if (causeOf(error)) setTab('provider');
        },
      },
    );
  };
  const checked = (all: boolean): SentConfig | undefined => {
    const found = draftProblem(draft, saved);
    tell(found);
    return found ? undefined : configOf(draft, all);
  };
  return {
    ...{ draft, problem, tab, setTab, isLocked, reset },
    /** Why nobody would answer with what was just sent. */
    refusal: causeOf(apply.error),
    isOn: saved.all,
    isChanged: changed.length > 0,
    busy: apply.isPending ? apply.variables.action : undefined,
    edit(change: Partial<TranscriptDraft>) {
      edit(change);
      setProblem(undefined);
      if (apply.isError) apply.reset();
    },
    /** Shows what is wrong with the provider, and says whether nothing is. */
    checkProvider(): boolean {
      const found = draftProblem(draft, saved);
      const isFine = found?.tab !== 'provider';
      tell(isFine ? undefined : found);
      return isFine;
    },
    save() {
      const config = checked(saved.all);
      if (config) send(config, 'save');
    },
    toggle() {
      // A stop must not fail because of something half typed: what was typed stays, and is not saved by it.
      const config = saved.all ? { ...running, all: false } : checked(true);
      if (!config || isLocked) return;
      lock();
      send(config, saved.all ? 'stop' : 'start');
    },
  };
}
export type TranscriptForm = ReturnType<typeof useTranscriptForm>;

function useApply() {
  const { t } = useTranslation();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ body }: { body: SentConfig & { uuid: string }; action: Action }) =>
      client.call(transcriptApi.apply, body),
    onSuccess: async () => {
      // Asked again before what was typed is forgotten: the mask of a new key is the server's to make.
      await queries.invalidateQueries({ queryKey: transcriptKey });
      notify.success(t('helper.setOk'));
    },
    meta: { handles: isExplained },
  });
}

function useReset(uuid: string) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => client.call(transcriptApi.reset, { uuid }),
    onSuccess: async (task) => {
      queries.setQueryData(transcriptQuery.queryKey, (before) => before && { ...before, task });
      await queries.invalidateQueries({ queryKey: transcriptKey });
      notify.success(t('helper.setOk'));
    },
  });
}

/** Refusals that the form tells at their place. */
function isExplained(error: unknown): boolean {
  return error instanceof ApiError && (refusedField(error.message) !== undefined || causeOf(error) !== undefined);
}
