import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ActiveStream, streamsApi } from '@weir/contract';
import { streamLabel } from '@weir/streams';
import { useTranslation } from 'react-i18next';
import { streamsQuery } from '../../components/streams/streams-queries.ts';
import { ConfirmDialog } from '../../components/ui/feedback/confirm-dialog.tsx';
import { client, isNotFound } from '../../lib/api.ts';
import { notify } from '../../lib/notify.ts';

interface KickoffDialogProps {
  stream: ActiveStream;
  opened: boolean;
  onClose: () => void;
}

export function KickoffDialog({ stream, opened, onClose }: KickoffDialogProps) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const name = streamLabel(stream);
  const kick = useMutation({
    // The client id protects a publisher that took the stream over meanwhile.
    mutationFn: () => client.call(streamsApi.kickoff, kickoffTarget(stream)),
    meta: { handles: isNotFound },
    onSuccess: () => notify.success(t('settings.kickoffOk', { name })),
    onError: (error) => {
      if (isNotFound(error)) notify.success(t('settings.kickoffGone', { name }));
    },
    onSettled: () => {
      onClose();
      return queries.invalidateQueries({ queryKey: streamsQuery.queryKey });
    },
  });
  return (
    <ConfirmDialog
      opened={opened}
      title={t('settings.kickoffTitle', { name })}
      text={t('settings.kickoff')}
      action={t('helper.kickoff')}
      busy={kick.isPending}
      onConfirm={() => kick.mutate()}
      onClose={onClose}
    />
  );
}

function kickoffTarget({ vhost, app, stream, client_id }: ActiveStream) {
  return { vhost, app, stream, client_id };
}
