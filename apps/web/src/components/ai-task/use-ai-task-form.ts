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

/** Form rules of one kind of task. */
interface AiTaskRules<Config, Draft extends object, Problem> {
  /** Saved settings in wire format. */
  readonly saved: Config;
  /** Saved settings as form fields. */
  readonly savedDraft: Draft;
  readonly uuid: string;
  /** Common query key prefix, and the key of the settings. */
  readonly keys: { readonly all: QueryKey; readonly config: QueryKey };
  problemOf(draft: Draft): Problem | undefined;
  configOf(draft: Draft, all: boolean): Config;
  apply(body: Config & Task): Promise<unknown>;
  reset(task: Task): Promise<Task>;
  /** Maps the server's message to a field. */
  refused?(message: string): Problem | undefined;
  /** Reports a problem outside the form as well. */
  announce?(problem: Problem): void;
}

/** Form state and actions (save, start, stop, reset) of an AI task on live streams. */
export function useAiTaskForm<
  Config extends { readonly all: boolean },
  Draft extends object,
  Problem extends { readonly part: Part },
  Part extends string,
>(rules: AiTaskRules<Config, Draft, Problem>) {
  const { saved, uuid } = rules;
  const { value: draft, changed, edit, discard } = useDraft(rules.savedDraft);
  const [problem, setProblem] = useState<Problem>();
  const [shown, setShown] = useState<{ readonly part: Part | 'provider' }>();
  const apply = useApply(rules);
  const reset = useReset(rules);

  const showProblem = (found: Problem | undefined) => {
    setProblem(found);
    if (!found) return;
    setShown({ part: found.part });
    rules.announce?.(found);
  };
  const send = (config: Config, action: RunAction) => {
    if (apply.isPending) return;
    apply.mutate(
      { body: { ...config, uuid }, action },
      {
        onSuccess: () => action !== 'stop' && discard(),
        onError: (error) => {
          if (rules.refused) showProblem(rules.refused(error.message));
          // The part of the provider explains the cause.
          if (parseAiCause(error)) setShown({ part: 'provider' });
        },
      },
    );
  };
  const checked = (all: boolean): Config | undefined => {
    const found = rules.problemOf(draft);
    showProblem(found);
    return found ? undefined : rules.configOf(draft, all);
  };
  return {
    draft,
    problem,
    shown,
    show: (part: Part) => setShown({ part }),
    reset,
    ...useStartStop({ saved, checked, send }),
    /** Reason why no AI could answer with the settings just sent. */
    refusal: parseAiCause(apply.error),
    isOn: saved.all,
    isChanged: changed.length > 0,
    busy: apply.isPending ? apply.variables.action : undefined,
    edit(change: Partial<Draft>) {
      edit(change);
      setProblem(undefined);
      if (apply.isError) apply.reset();
    },
    discard() {
      discard();
      setProblem(undefined);
      if (apply.isError) apply.reset();
    },
    /** Shows provider problems; true if there are none. */
    checkProvider(): boolean {
      const found = rules.problemOf(draft);
      const isFine = found?.part !== 'provider';
      showProblem(isFine ? undefined : found);
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
      // Refetched before the draft is discarded, because the server creates the mask of a new key.
      await queries.invalidateQueries({ queryKey: rules.keys.all });
      notify.success(t('helper.setOk'));
    },
    // Failures that the form shows itself.
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

/** AI tasks on live segments. Each has its own texts under the same keys. */
export type AiTaskKind = 'ocr' | 'transcript';
