import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query';
import { notify } from './notify.ts';

/** Saves, looks again at what the server made of it, forgets the draft, and says so. */
export function useSave<Value>(options: {
  query: { queryKey: QueryKey };
  save: (value: Value) => Promise<unknown>;
  done: string;
  onSaved: () => void;
}) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: options.save,
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: options.query.queryKey });
      options.onSaved();
      notify.success(options.done);
    },
  });
}
