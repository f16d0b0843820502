import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type Recording, recordApi } from '@weir/contract';
import { streamLabel } from '@weir/dialect';
import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from '../../../components/ui/feedback/confirm-dialog.tsx';
import { client } from '../../../lib/api.ts';
import { recordKey } from '../record-queries.ts';

/** The server needs a moment to close what it writes; the list is read again after it. */
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
