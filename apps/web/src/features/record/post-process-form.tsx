import { Checkbox, NativeSelect, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { ApiError } from '@weir/client';
import { defaultCopyDirectory, postProcessCopy, type RecordSettings, recordApi, recordLimits } from '@weir/contract';
import { segmentFormatNames } from '@weir/streams';
import { useTranslation } from 'react-i18next';
import { SettingsForm } from '../../components/settings-form/settings-form.tsx';
import { useSettingsForm } from '../../components/settings-form/use-settings-form.ts';
import { client } from '../../lib/api.ts';
import { notify } from '../../lib/notify.ts';
import { useEngineLacks } from '../../lib/queries/use-engine-lacks.ts';
import { recordQuery } from './record-queries.ts';

/** `none` is sent as a copy without a directory. */
type Choice = 'none' | typeof postProcessCopy;

interface Fields {
  readonly choice: Choice;
  readonly directory: string;
}

export function PostProcessForm({ settings }: { settings: RecordSettings }) {
  const { t } = useTranslation();
  const saved: Fields = {
    choice: settings.processCpDir === '' ? 'none' : postProcessCopy,
    directory: settings.processCpDir || defaultCopyDirectory,
  };
  const form = useSettingsForm<Fields, 'directory'>({
    saved,
    check: ({ choice, directory }) => (choice === postProcessCopy && directory.trim() === '' ? 'directory' : undefined),
    save: ({ choice, directory }) =>
      client.call(recordApi.postProcessing, {
        postProcess: postProcessCopy,
        postCpDir: choice === postProcessCopy ? directory.trim() : '',
      }),
    // The field shows a refused directory; other errors show above the page.
    handles: isRefusal,
    refresh: (queries) => queries.invalidateQueries(recordQuery),
    done: t('record.setupOk'),
  });
  const { choice, directory } = form.value;
  const reason = isRefusal(form.refusal) ? form.refusal.message : undefined;
  return (
    <SettingsForm form={form} action={t('record.savePost')}>
      <NativeSelect
        size="md"
        label={t('record.post')}
        description={t('record.postHelp')}
        value={choice}
        data={[
          { value: 'none', label: t('record.postNone') },
          { value: postProcessCopy, label: t('record.postCp') },
        ]}
        onChange={(event) => form.edit({ choice: parseChoice(event.currentTarget.value) })}
      />
      {choice === postProcessCopy && (
        <TextInput
          size="md"
          label={t('record.postCpDir')}
          description={t('record.postCpDirHelp')}
          placeholder={defaultCopyDirectory}
          error={
            form.problem === 'directory' ? t('record.postCpEmpty') : reason && t('record.postCpRefused', { reason })
          }
          spellCheck={false}
          maxLength={recordLimits.pathCharacters}
          value={directory}
          onChange={(event) => form.edit({ directory: event.currentTarget.value })}
        />
      )}
    </SettingsForm>
  );
}

function parseChoice(value: string): Choice {
  return value === postProcessCopy ? value : 'none';
}

function isRefusal(error: unknown): error is ApiError {
  return error instanceof ApiError && error.status === 422;
}

/** Container of recorded segments. Saved at once; a recording in progress keeps its own. */
export function SegmentFormatChoice({ settings }: { settings: RecordSettings }) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const isFixed = useEngineLacks('hls-settings');
  const save = useMutation({
    mutationFn: (segmentFormat: RecordSettings['segmentFormat']) =>
      client.call(recordApi.segmentFormat, { segmentFormat }),
    onSuccess: async () => {
      await queries.invalidateQueries(recordQuery);
      notify.success(t('record.setupOk'));
    },
  });
  return (
    <NativeSelect
      size="md"
      label={t('record.segmentFormat')}
      description={t(isFixed ? 'record.segmentFormatFixed' : 'record.segmentFormatHelp')}
      value={save.isPending ? save.variables : settings.segmentFormat}
      disabled={save.isPending || isFixed}
      data={segmentFormatNames.map((name) => ({ value: name, label: t(`record.segmentFormats.${name}`) }))}
      onChange={(event) => save.mutate(event.currentTarget.value === 'fmp4' ? 'fmp4' : 'mpegts')}
    />
  );
}

/** Adds subtitles to finished files. Saved at once, because it can be undone at any time. */
export function SubtitlesChoice({ settings }: { settings: RecordSettings }) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const save = useMutation({
    mutationFn: (subtitles: boolean) => client.call(recordApi.subtitles, { subtitles }),
    onSuccess: async () => {
      await queries.invalidateQueries(recordQuery);
      notify.success(t('record.setupOk'));
    },
  });
  return (
    <Checkbox
      size="md"
      label={t('record.subtitles')}
      description={t('record.subtitlesHelp')}
      checked={save.isPending ? save.variables : settings.subtitles}
      disabled={save.isPending}
      onChange={(event) => save.mutate(event.currentTarget.checked)}
    />
  );
}
