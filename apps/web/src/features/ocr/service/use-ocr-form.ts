import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type OcrConfig, ocrApi, outletLimits } from '@weir/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { causeOf } from '../../../components/ai/cause-of.ts';
import { useLock } from '../../../components/outlets/use-lock.ts';
import { useDraft } from '../../../components/settings-form/use-draft.ts';
import { client } from '../../../lib/api.ts';
import { notify } from '../../../lib/notify.ts';
import { ocrKey, ocrQuery } from '../ocr-queries.ts';
import { configOf, type DraftProblem, draftOf, draftProblem, type OcrDraft, type ServiceTab } from './ocr-draft.ts';

type Action = 'save' | 'start' | 'stop';

/** The settings of OCR, and the four things to do with them: save, start, stop, reset. */
export function useOcrForm(saved: OcrConfig, uuid: string) {
  const { t } = useTranslation();
  const { value: draft, changed, edit, forget } = useDraft(draftOf(saved, t('ocr.defaultPrompt')));
  const [problem, setProblem] = useState<DraftProblem>();
  const [tab, setTab] = useState<ServiceTab>('provider');
  const { isLocked, lock } = useLock(outletLimits.lockMs);
  const apply = useApply();
  const reset = useReset(uuid);

  const tell = (found: DraftProblem | undefined) => {
    setProblem(found);
    if (found) setTab(found.tab);
    // In the words of the specification; the field says what to do.
    if (found?.tab === 'provider')
      notify.failure(t(found.provider.field === 'baseURL' ? 'ocr.invalidUrl' : 'ocr.invalidKey'));
  };
  const send = (config: OcrConfig, action: Action) => {
    if (apply.isPending) return;
    apply.mutate(
      { body: { ...config, uuid }, action },
      {
        onSuccess: () => action !== 'stop' && forget(),
        // Told by its cause, beside the choice of a provider.
        onError: (error) => causeOf(error) && setTab('provider'),
      },
    );
  };
  const checked = (all: boolean): OcrConfig | undefined => {
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
    edit(change: Partial<OcrDraft>) {
      edit(change);
      setProblem(undefined);
      if (apply.isError) apply.reset();
    },
    save() {
      const config = checked(saved.all);
      if (config) send(config, 'save');
    },
    toggle() {
      // A stop must not fail because of something half typed: what was typed stays, and is not saved by it.
      const config = saved.all ? { ...saved, all: false } : checked(true);
      if (!config || isLocked) return;
      lock();
      send(config, saved.all ? 'stop' : 'start');
    },
  };
}
export type OcrForm = ReturnType<typeof useOcrForm>;

function useApply() {
  const { t } = useTranslation();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ body }: { body: OcrConfig & { uuid: string }; action: Action }) => client.call(ocrApi.apply, body),
    onSuccess: async () => {
      // Asked again before what was typed is forgotten: the mask of a new key is the server's to make.
      await queries.invalidateQueries({ queryKey: ocrKey });
      notify.success(t('helper.setOk'));
    },
    meta: { handles: (error: unknown) => causeOf(error) !== undefined },
  });
}

function useReset(uuid: string) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => client.call(ocrApi.reset, { uuid }),
    onSuccess: async (task) => {
      queries.setQueryData(ocrQuery.queryKey, (before) => before && { ...before, task });
      await queries.invalidateQueries({ queryKey: ocrKey });
      notify.success(t('helper.setOk'));
    },
  });
}
