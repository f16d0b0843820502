import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type DataOf, type ProgramRow, programApi } from '@weir/contract';
import { useTranslation } from 'react-i18next';
import { client } from '../../lib/api.ts';
import { notify } from '../../lib/notify.ts';
import { programsQuery } from './program-queries.ts';
import { moveInput, settingsOf } from './program-state.ts';
import { useInputName } from './use-program-words.ts';

type Programs = DataOf<typeof programApi.query>;

/** What an operator does with a running program. */
export function useProgramActions(program: ProgramRow) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const nameOf = useInputName();
  const refresh = () => queries.invalidateQueries({ queryKey: programsQuery.queryKey });
  const switching = useMutation({
    mutationFn: (input: string) => client.call(programApi.switch, { uuid: program.uuid, input }),
    onSettled: refresh,
  });
  const saving = useMutation({
    mutationFn: (change: Partial<ProgramRow>) => client.call(programApi.save, { ...settingsOf(program), ...change }),
    onMutate: (change) => show(change),
    onSettled: refresh,
  });
  const removing = useMutation({
    mutationFn: () => client.call(programApi.remove, { uuid: program.uuid }),
    onSuccess: () => notify.success(t('program.removed')),
    onSettled: refresh,
  });
  /** At once, as the server will answer. */
  function show(change: Partial<ProgramRow>): void {
    queries.setQueryData<Programs>(programsQuery.queryKey, (known) => {
      if (!known) return known;
      const programs = known.programs.map((one) => (one.uuid === program.uuid ? { ...one, ...change } : one));
      return { ...known, programs };
    });
  }
  const { inputs, onAir, isHeld, isReturning } = program;
  return {
    switchTo: (input: string) => switching.mutate(input),
    /** Input that is being switched to. */
    switching: switching.isPending ? switching.variables : undefined,
    isReturning: isReturning && !isHeld,
    /** Off keeps what is on air until somebody decides otherwise. */
    setReturning: (isOn: boolean) => {
      if (!isOn) switching.mutate(onAir);
      else if (isHeld) switching.mutate('');
      if (isOn && !isReturning) saving.mutate({ isReturning: true });
    },
    /** Sentence for screen readers. */
    move: (from: number, to: number): string => {
      const moved = moveInput(inputs, from, to);
      const input = inputs[from];
      if (moved === inputs || !input) return '';
      saving.mutate({ inputs: [...moved] });
      return t('program.moved', { name: nameOf(input, inputs), place: to + 1, count: moved.length });
    },
    setEnabled: (enabled: boolean) => saving.mutate({ enabled }),
    remove: () => removing.mutate(),
    isBusy: switching.isPending || saving.isPending || removing.isPending,
    isRemoving: removing.isPending,
  };
}
