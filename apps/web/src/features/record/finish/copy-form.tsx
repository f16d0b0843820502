import { Button, Group, NativeSelect, Stack, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { ApiError } from '@weir/client';
import { defaultCopyDirectory, postProcessCopy, type RecordSettings, recordApi, recordLimits } from '@weir/contract';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { StatusLabel } from '../../../components/ui/feedback/status-label.tsx';
import { client } from '../../../lib/api.ts';
import { notify } from '../../../lib/notify.ts';
import { recordQuery } from '../record-queries.ts';

/** `''`: nothing chosen yet; `none`: nothing is done, which is sent as a copy without a directory. */
type Choice = '' | 'none' | typeof postProcessCopy;

interface Draft {
  readonly choice: Choice;
  readonly directory: string;
}

/** What happens to a finished file. */
export function CopyForm({ settings }: { settings: RecordSettings }) {
  const { t } = useTranslation();
  const saved: Draft = {
    choice: settings.processCpDir === '' ? '' : postProcessCopy,
    directory: settings.processCpDir || defaultCopyDirectory,
  };
  const [draft, setDraft] = useState<Partial<Draft>>({});
  const [refused, setRefused] = useState<'choice' | 'directory'>();
  const [reason, setReason] = useState<string>();
  const save = useSaveDirectory({ onSaved: () => setDraft({}), onRefused: setReason });
  const { choice, directory } = { ...saved, ...draft };
  const isCopy = choice === postProcessCopy;
  const edit = (change: Partial<Draft>) => {
    setDraft({ ...draft, ...change });
    setRefused(undefined);
    setReason(undefined);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const wrong = choice === '' ? 'choice' : isCopy && directory.trim() === '' ? 'directory' : undefined;
    setRefused(wrong);
    if (wrong === undefined && !save.isPending) save.mutate(isCopy ? directory.trim() : '');
  };
  const isChanged = choice !== saved.choice || (isCopy && directory !== saved.directory);
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        <NativeSelect
          size="md"
          label={t('record.post')}
          description={t('record.post2')}
          error={refused === 'choice' && t('record.postEmpty')}
          value={choice}
          data={[
            ...(choice === '' ? [{ value: '', label: t('record.postChoose') }] : []),
            { value: 'none', label: t('record.postNone') },
            { value: postProcessCopy, label: t('record.postCp') },
          ]}
          onChange={(event) => edit({ choice: choiceOf(event.currentTarget.value) })}
        />
        {isCopy && (
          <TextInput
            size="md"
            label={t('record.postCp2')}
            description={t('record.postCp3')}
            placeholder={defaultCopyDirectory}
            error={refused === 'directory' ? t('record.postCpEmpty') : reason && t('record.postCpRefused', { reason })}
            spellCheck={false}
            maxLength={recordLimits.pathCharacters}
            value={directory}
            onChange={(event) => edit({ directory: event.currentTarget.value })}
          />
        )}
        <Group>
          <Button type="submit" loading={save.isPending}>
            {t('record.update3')}
          </Button>
          {isChanged && <StatusLabel tone="warn" word={t('helper.unsaved')} />}
        </Group>
      </Stack>
    </form>
  );
}

function choiceOf(value: string): Choice {
  return value === postProcessCopy || value === 'none' ? value : '';
}

/** A directory that cannot be used is said at its field; everything else above the page. */
function useSaveDirectory({ onSaved, onRefused }: { onSaved: () => void; onRefused: (reason: string) => void }) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (postCpDir: string) =>
      client.call(recordApi.postProcessing, { postProcess: postProcessCopy, postCpDir }),
    meta: { handles: isRefusal },
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: recordQuery.queryKey });
      onSaved();
      notify.success(t('record.setupOk'));
    },
    onError: (error) => {
      if (isRefusal(error)) onRefused(error.message);
    },
  });
}

function isRefusal(error: unknown): error is ApiError {
  return error instanceof ApiError && error.status === 422;
}
