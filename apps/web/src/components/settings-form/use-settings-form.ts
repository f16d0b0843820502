import { type QueryClient, type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { notify } from '../../lib/notify.ts';
import { useDraft } from './use-draft.ts';

interface Options<Fields extends object, Problem> {
  /** Saved values, or defaults until they are known. */
  readonly saved: Fields;
  readonly isKnown?: boolean;
  /** Derives values from typed ones; typed values override them. */
  readonly implied?: (typed: Partial<Fields>) => Partial<Fields>;
  /** Validates before saving. */
  readonly check?: (value: Fields) => Problem | undefined;
  readonly save: (value: Fields) => Promise<unknown>;
  /** Updates `saved` after a save, before the draft is discarded: by refetching, or from the sent values. */
  readonly refresh: (queries: QueryClient, sent: Fields) => unknown;
  /** Toast after a save. */
  readonly done: string;
  /** Failures that the form shows itself; others are reported above the page. */
  readonly handles?: (error: unknown) => boolean;
  /** Shared by saves that exclude each other. */
  readonly mutationKey?: QueryKey;
  /** Blocks saving while another action runs. */
  readonly isBlocked?: boolean;
  readonly onEdit?: () => void;
}

export interface SettingsFormState<Fields extends object, Problem = string> {
  readonly value: Fields;
  readonly isKnown: boolean;
  readonly isChanged: boolean;
  readonly isSaving: boolean;
  readonly problem: Problem | undefined;
  /** Last failure among those that the form handles. */
  readonly refusal: unknown;
  edit(change: Partial<Fields>): void;
  discard(): void;
  /** Shows problems; true if there are none. */
  check(): boolean;
  submit(event: FormEvent): void;
}

/** State of a settings form: saved values, draft, validation and saving. */
export function useSettingsForm<Fields extends object, Problem = string>(
  options: Options<Fields, Problem>,
): SettingsFormState<Fields, Problem> {
  const { saved, isKnown = true, isBlocked = false } = options;
  const queries = useQueryClient();
  const { value, changed, edit, discard } = useDraft(saved, options.implied);
  const [problem, setProblem] = useState<Problem>();
  const save = useMutation({
    mutationFn: options.save,
    ...(options.mutationKey && { mutationKey: options.mutationKey }),
    ...(options.handles && { meta: { handles: options.handles } }),
    onSuccess: async (_answer, sent) => {
      await options.refresh(queries, sent);
      discard();
      notify.success(options.done);
    },
  });
  const check = () => {
    const found = options.check?.(value);
    setProblem(found);
    return found === undefined;
  };
  return {
    value,
    isKnown,
    isChanged: isKnown && changed.length > 0,
    isSaving: save.isPending,
    problem,
    refusal: options.handles?.(save.error) ? save.error : undefined,
    edit(change) {
      edit(change);
      setProblem(undefined);
      if (save.isError) save.reset();
      options.onEdit?.();
    },
    discard,
    check,
    submit(event) {
      event.preventDefault();
      if (check() && isKnown && !isBlocked && !save.isPending) save.mutate(value);
    },
  };
}
