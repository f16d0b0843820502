import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type DubbingProject, type DubbingTask, dubbingApi } from '@weir/contract';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { parseAiCause } from '../../../components/ai/parse-ai-cause.ts';
import { client } from '../../../lib/api.ts';
import { notify } from '../../../lib/notify.ts';
import { projectQuery } from '../dubbing-queries.ts';
import { refusalText } from '../refusal-text.ts';
import { isBorder } from './edit-field.ts';
import { findRegrouping } from './regrouping.ts';
import { isChangedElsewhere, ScriptEditor } from './script-editor.ts';
import { cachedTask, mergeTask, taskGroups, taskQuery } from './task-query.ts';

export type GroupAction = 'rephrase' | 'mergeNext' | 'mergePrevious' | 'again' | 'speak' | { readonly splitAt: number };

export function useStudio({ uuid, task: started }: DubbingProject) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const options = taskQuery(uuid);
  const query = useQuery({ ...options, enabled: started !== '' });
  const storeAnswer = async (answer: DubbingTask) => {
    // An older response on its way must not replace this one.
    await queries.cancelQueries({ queryKey: options.queryKey });
    const task = mergeTask(cachedTask(queries, uuid), answer);
    if (task) queries.setQueryData(options.queryKey, task);
    else await queries.refetchQueries({ queryKey: options.queryKey });
  };
  const since = () => cachedTask(queries, uuid)?.cursor ?? '';
  const call = useMutation({
    mutationFn: async (send: () => Promise<DubbingTask>) => storeAnswer(await send()),
    onError: (error) => {
      const words = refusalText(t, error);
      if (words) notify.failure(words);
    },
    meta: { handles: (error) => isChangedElsewhere(error) || refusalText(t, error) !== undefined },
  });
  const [editor] = useState(
    () =>
      new ScriptEditor({
        groups: () => taskGroups(cachedTask(queries, uuid)),
        send: ({ group: { uuid: group, revision }, field, text }) =>
          call.mutateAsync(() => {
            const value = isBorder(field) ? Number(text) : text;
            return client.call(dubbingApi.edit, {
              uuid,
              task: uuid,
              group,
              revision,
              since: since(),
              [field]: value,
            });
          }),
        reload: () => queries.refetchQueries({ queryKey: options.queryKey }),
        regroup: (present, known) =>
          call.mutateAsync(() => {
            const groups = present.map(({ uuid: group, revision }) => ({ group, revision }));
            return client.call(dubbingApi.regroup, {
              uuid,
              task: uuid,
              since: since(),
              groups,
              known: [...known],
            });
          }),
        onLost: () => notify.failure(t('dubbing.studio.changed')),
        // The mutation shows the failure.
        onFailure: () => undefined,
      }),
  );
  useEffect(() => () => void editor.flush(), [editor]);
  const state = useSyncExternalStore(editor.subscribe, editor.state);

  const act = (group: string, revision: number, action: GroupAction) => {
    const send = () => {
      const of = { uuid, task: uuid, group, since: since() };
      if (typeof action === 'object') return client.call(dubbingApi.split, { ...of, revision, at: action.splitAt });
      if (action === 'rephrase') return client.call(dubbingApi.rephrase, of);
      if (action === 'speak') return client.call(dubbingApi.speak, { ...of, revision });
      // An empty translation makes the server translate and speak the group again.
      if (action === 'again') return client.call(dubbingApi.edit, { ...of, revision, translated: '' });
      return client.call(dubbingApi.merge, { ...of, direction: action === 'mergeNext' ? 'next' : 'prev' });
    };
    const before = taskGroups(cachedTask(queries, uuid));
    const acting = editor
      .markBusy([group], () => call.mutateAsync(send))
      .catch(async (error: unknown) => {
        if (isChangedElsewhere(error)) notify.failure(t('dubbing.studio.changed'));
        await queries.refetchQueries({ queryKey: options.queryKey });
      })
      .then(() => {
        // Also runs after a failed voice, because the groups may have changed.
        const kind = typeof action === 'object' ? 'split' : action;
        if (kind === 'speak') return;
        const done = findRegrouping({ before, after: taskGroups(cachedTask(queries, uuid)) }, group, kind);
        if (done) editor.record(done);
      });
    return editor.track(acting);
  };

  const control = useMutation({
    mutationFn: (send: () => Promise<unknown>) => send(),
    onSettled: async () => {
      const { queryKey } = projectQuery(uuid);
      await queries.invalidateQueries({ queryKey });
      // Asking for a cancelled task would fail.
      if (queries.getQueryData(queryKey)?.task === '') queries.removeQueries({ queryKey: options.queryKey });
      else await queries.invalidateQueries({ queryKey: options.queryKey });
    },
    meta: { handles: (error) => parseAiCause(error) !== undefined },
  });
  return {
    task: started === '' ? undefined : query.data,
    query,
    editor,
    state,
    act,
    control,
    refusal: parseAiCause(control.error),
  };
}
export type StudioModel = ReturnType<typeof useStudio>;
