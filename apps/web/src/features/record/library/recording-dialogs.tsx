import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type Recording, recordApi } from '@weir/contract';
import { streamLabel } from '@weir/streams';
import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from '../../../components/ui/feedback/confirm-dialog.tsx';
import { client, isNotFound } from '../../../lib/api.ts';
import { formatBytes, formatDateTime } from '../../../lib/format.ts';
import { useLocale } from '../../../lib/i18n.ts';
import { notify } from '../../../lib/notify.ts';
import { recordKey } from '../record-queries.ts';
import { recordedBytes } from './recorded-bytes.ts';

interface RemoveDialogProps {
  recordings: readonly Recording[];
  opened: boolean;
  onClose: () => void;
}

const namedAtMost = 5;

export function RemoveRecordingsDialog({ recordings, opened, onClose }: RemoveDialogProps) {
  const { t } = useTranslation();
  const locale = useLocale();
  const queries = useQueryClient();
  const remove = useMutation({
    mutationFn: async () => {
      for (const { uuid } of recordings) await removeOne(uuid);
    },
    onSuccess: () => notify.success(t('record.removeOk', { count: recordings.length })),
    onSettled: () => {
      onClose();
      return queries.invalidateQueries({ queryKey: recordKey });
    },
  });
  const bytes = recordings.reduce((sum, recording) => sum + recordedBytes(recording), 0);
  const names = recordings
    .slice(0, namedAtMost)
    .map((one) => `${streamLabel(one)} ${formatDateTime(new Date(one.startedAt))}`);
  const more = recordings.length - names.length;
  const list = [...names, ...(more > 0 ? [t('record.removeMore', { count: more })] : [])].join(t('record.comma'));
  return (
    <ConfirmDialog
      opened={opened}
      title={t('record.removeTitle', { count: recordings.length, size: formatBytes(bytes, locale) })}
      text={t('record.removeText', { list })}
      action={t('record.remove')}
      busy={remove.isPending}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    />
  );
}

/** A recording deleted elsewhere meanwhile counts as success. */
async function removeOne(uuid: string): Promise<void> {
  try {
    await client.call(recordApi.remove, { uuid });
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}

/** The server needs a moment to close the file before the list is read again. */
const reloadAfterMs = 1000;

export function EndRecordingDialog({
  recording,
  opened,
  onClose,
}: {
  recording: Recording;
  opened: boolean;
  onClose: () => void;
}) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const end = useMutation({
    mutationFn: () => client.call(recordApi.end, { uuid: recording.uuid }),
    onSettled: async () => {
      onClose();
      await new Promise((resolve) => setTimeout(resolve, reloadAfterMs));
      await queries.invalidateQueries({ queryKey: recordKey });
    },
  });
  return (
    <ConfirmDialog
      opened={opened}
      title={t('record.endTitle', { name: streamLabel(recording) })}
      text={t('record.endTip')}
      action={t('record.end')}
      busy={end.isPending}
      onConfirm={() => end.mutate()}
      onClose={onClose}
    />
  );
}
