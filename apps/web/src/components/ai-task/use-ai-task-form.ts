import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query';
import { ApiError } from '@weir/client';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { notify } from '../../lib/notify.ts';
import { parseAiCause } from '../ai/parse-ai-cause.ts';
import { useDraft } from '../settings-form/use-draft.ts';
import { type RunAction, useStartStop } from '../settings-form/use-start-stop.ts';

interface Task {
  readonly uuid: string;
}

/** What a form of one kind knows of its own fields. */
interface AiTaskRules<Config, Draft extends object, Problem> {
  /** What is saved, as it is sent. */
  readonly saved: Config;
  /** What the form shows of it. */
  readonly savedDraft: Draft;
  readonly uuid: string;
  /** What all queries of the task begin with, and the one of its settings. */
  readonly keys: { readonly all: QueryKey; readonly config: QueryKey };
  problemOf(draft: Draft): Problem | undefined;
  configOf(draft: Draft, all: boolean): Config;
  apply(body: Config & Task): Promise<unknown>;
  reset(task: Task): Promise<Task>;
  /** What the server refused, where its words name a field. */
  refused?(message: string): Problem | undefined;
  /** Says a problem also outside the form. */
  announce?(problem: Problem): void;
}

/** The settings of something that AI does with live streams, and the four things to do with them: save, start, stop, reset. */
export function useAiTaskForm<
  Config extends { readonly all: boolean },
  Draft extends object,
  Problem extends { readonly tab: Tab },
  Tab extends string,
>(rules: AiTaskRules<Config, Draft, Problem>) {
  const { saved, uuid } = rules;
  const { value: draft, changed, edit, discard: forget } = useDraft(rules.savedDraft);
  const [problem, setProblem] = useState<Problem>();
  const [tab, setTab] = useState<Tab | 'provider'>('provider');
  const apply = useApply(rules);
  const reset = useReset(rules);

  const tell = (found: Problem | undefined) => {
    setProblem(found);
    if (!found) return;
    setTab(found.tab);
    rules.announce?.(found);
  };
  const send = (config: Config, action: RunAction) => {
    if (apply.isPending) return;
    apply.mutate(
      { body: { ...config, uuid }, action },
      {
        onSuccess: () => action !== 'stop' && forget(),
        onError: (error) => {
          if (rules.refused) tell(rules.refused(error.message));
          // Told by its cause, beside the choice of a provider.
          if (parseAiCause(error)) setTab('provider');
        },
      },
    );
  };
  const checked = (all: boolean): Config | undefined => {
    const found = rules.problemOf(draft);
    tell(found);
    return found ? undefined : rules.configOf(draft, all);
  };
  return {
    draft,
    problem,
    tab,
    setTab,
    reset,
    ...useStartStop({ saved, checked, send }),
    /** Why nobody would answer with what was just sent. */
    refusal: parseAiCause(apply.error),
    isOn: saved.all,
    isChanged: changed.length > 0,
    busy: apply.isPending ? apply.variables.action : undefined,
    edit(change: Partial<Draft>) {
      edit(change);
      setProblem(undefined);
      if (apply.isError) apply.reset();
    },
    /** Shows what is wrong with the provider, and says whether nothing is. */
    checkProvider(): boolean {
      const found = rules.problemOf(draft);
      const isFine = found?.tab !== 'provider';
      tell(isFine ? undefined : found);
      return isFine;
    },
  };
}

function useApply<Config, Draft extends object, Problem>(rules: AiTaskRules<Config, Draft, Problem>) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ body }: { body: Config & Task; action: RunAction }) => rules.apply(body),
    onSuccess: async () => {
      // Asked again before what was typed is forgotten: the mask of a new key is the server's to make.
      await queries.invalidateQueries({ queryKey: rules.keys.all });
      notify.success(t('helper.setOk'));
    },
    // Refusals that the form tells at their place.
    meta: {
      handles: (error: unknown) =>
        error instanceof ApiError && (parseAiCause(error) ?? rules.refused?.(error.message)) !== undefined,
    },
  });
}

function useReset({ uuid, keys, reset }: Pick<AiTaskRules<never, never, never>, 'uuid' | 'keys' | 'reset'>) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => reset({ uuid }),
    onSuccess: async (task) => {
      queries.setQueryData<{ task: Task }>(keys.config, (before) => before && { ...before, task });
      await queries.invalidateQueries({ queryKey: keys.all });
      notify.success(t('helper.setOk'));
    },
  });
}

/** What AI does with the segments of live streams. Each has texts of its own, under the same keys. */
export type AiTaskKind = 'ocr' | 'transcript';
