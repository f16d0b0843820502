import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type DubbingProject, dubbingApi } from '@weir/contract';
import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from '../../components/ui/feedback/confirm-dialog.tsx';
import { client } from '../../lib/api.ts';
import { notify } from '../../lib/notify.ts';
import { dubbingKey } from './dubbing-queries.ts';

interface RemoveProjectDialogProps {
  project: DubbingProject;
  opened: boolean;
  onClose: () => void;
  onRemoved?: () => void;
}

export function RemoveProjectDialog({ project, opened, onClose, onRemoved }: RemoveProjectDialogProps) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const remove = useMutation({
    mutationFn: () => client.call(dubbingApi.remove, { uuid: project.uuid }),
    onSuccess: () => {
      notify.success(t('dubbing.create.deleted'));
      onRemoved?.();
    },
    onSettled: () => {
      onClose();
      return queries.invalidateQueries({ queryKey: dubbingKey });
    },
  });
  return (
    <ConfirmDialog
      {...{ opened, onClose }}
      title={t('dubbing.create.deleteTitle', project)}
      text={t('dubbing.create.delete')}
      action={t('dubbing.create.deleteAction')}
      busy={remove.isPending}
      onConfirm={() => remove.mutate()}
    />
  );
}
