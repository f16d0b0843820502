import { useMutation, useQuery } from '@tanstack/react-query';
import { componentsApi, type PlaneName } from '@weir/contract';
import { useTranslation } from 'react-i18next';
import { streamsQuery } from '../../../components/streams/streams-queries.ts';
import { ConfirmDialog } from '../../../components/ui/feedback/confirm-dialog.tsx';
import { client } from '../../../lib/api.ts';
import { notify } from '../../../lib/notify.ts';

interface RestartDialogProps {
  name: PlaneName;
  opened: boolean;
  /** The server took the request. */
  onAsked: () => void;
  onClose: () => void;
}

/** Names what a restart interrupts; for the engine also how many that is right now. */
export function RestartDialog({ name, opened, onAsked, onClose }: RestartDialogProps) {
  const { t } = useTranslation();
  const streams = useQuery({ ...streamsQuery, enabled: opened && name === 'engine' }).data?.streams ?? [];
  const viewers = streams.reduce((sum, { media }) => sum + (media?.viewers ?? 0), 0);
  const onAir = name === 'engine' && streams.length > 0 ? t('coms.onAir', { count: streams.length, viewers }) : '';
  const restart = useMutation({
    mutationFn: () => client.call(componentsApi.restart, { name }),
    onSuccess: () => {
      onAsked();
      notify.success(t(`coms.${name}.asked`));
    },
    onSettled: onClose,
  });
  return (
    <ConfirmDialog
      opened={opened}
      title={t(`coms.${name}.restart`)}
      text={[onAir, t(`coms.${name}.warning`)].filter((part) => part !== '').join(' ')}
      action={t(`coms.${name}.restart`)}
      busy={restart.isPending}
      onConfirm={() => restart.mutate()}
      onClose={onClose}
    />
  );
}
