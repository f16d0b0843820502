import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type StreamViewer, streamsApi } from '@weir/contract';
import type { WirePlace } from '@weir/dialect';
import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from '../../../components/ui/feedback/confirm-dialog.tsx';
import { client, isGone } from '../../../lib/api.ts';
import { notify } from '../../../lib/notify.ts';
import { streamDetailQuery } from './stream-detail-query.ts';

interface KickViewerDialogProps {
  place: WirePlace;
  viewer: StreamViewer;
  opened: boolean;
  onClose: () => void;
}

export function KickViewerDialog({ place, viewer, opened, onClose }: KickViewerDialogProps) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const { address, id } = viewer;
  const told = () => notify.success(t('streamPage.viewers.kicked', { address }));
  const kick = useMutation({
    mutationFn: () => client.call(streamsApi.kickViewer, { ...place, id }),
    meta: { handles: isGone },
    onSuccess: told,
    // Gone is what was wanted.
    onError: (error) => isGone(error) && told(),
    onSettled: () => {
      onClose();
      return queries.invalidateQueries({ queryKey: streamDetailQuery(place).queryKey });
    },
  });
  return (
    <ConfirmDialog
      opened={opened}
      title={t('streamPage.viewers.kick', { address })}
      text={t('streamPage.viewers.kickText')}
      action={t('helper.kickoff')}
      busy={kick.isPending}
      onConfirm={() => kick.mutate()}
      onClose={onClose}
    />
  );
}
