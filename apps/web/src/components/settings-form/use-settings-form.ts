import { type QueryClient, type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { notify } from '../../lib/notify.ts';
import { useDraft } from './use-draft.ts';

interface Options<Fields extends object, Problem> {
  /** As the server has it, or what the fields show until that is known. */
  readonly saved: Fields;
  readonly isKnown?: boolean;
  /** What follows from what was typed, unless that is typed as well. */
  readonly implied?: (typed: Partial<Fields>) => Partial<Fields>;
  /** What is wrong, before the server is asked. */
  readonly check?: (value: Fields) => Problem | undefined;
  readonly save: (value: Fields) => Promise<unknown>;
  /** Brings `saved` up to date after a save, before what was typed is forgotten: by asking again, or from what was sent. */
  readonly refresh: (queries: QueryClient, sent: Fields) => unknown;
  /** Said after a save. */
  readonly done: string;
  /** Refusals that the form tells itself; all others are told above the page. */
  readonly handles?: (error: unknown) => boolean;
  /** Saves that exclude each other share it. */
  readonly mutationKey?: QueryKey;
  /** Nothing is saved while something else goes on. */
  readonly isBlocked?: boolean;
  readonly onEdit?: () => void;
}

export interface SettingsFormState<Fields extends object, Problem = string> {
  readonly value: Fields;
  readonly isKnown: boolean;
  readonly isChanged: boolean;
  readonly isSaving: boolean;
  readonly problem: Problem | undefined;
  /** Why the last save was refused, of what the form handles itself. */
  readonly refusal: unknown;
  edit(change: Partial<Fields>): void;
  discard(): void;
  /** Shows what is wrong, and says whether nothing is. */
  check(): boolean;
  submit(event: FormEvent): void;
}

/** A form of settings: what is saved, what was typed, what is wrong with it, and the way to the server. */
export function useSettingsForm<Fields extends object, Problem = string>(
  options: Options<Fields, Problem>,
): SettingsFormState<Fields, Problem> {
  const { saved, isKnown = true, isBlocked = false } = options;
  const queries = useQueryClient();
  const { value, changed, edit, discard: forget } = useDraft(saved, options.implied);
  const [problem, setProblem] = useState<Problem>();
  const save = useMutation({
    mutationFn: options.save,
    ...(options.mutationKey && { mutationKey: options.mutationKey }),
    ...(options.handles && { meta: { handles: options.handles } }),
    onSuccess: async (_answer, sent) => {
      await options.refresh(queries, sent);
      forget();
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
    discard: forget,
    check,
    submit(event) {
      event.preventDefault();
      if (check() && isKnown && !isBlocked && !save.isPending) save.mutate(value);
    },
  };
}
