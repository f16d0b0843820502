import { useMutation, useQuery } from '@tanstack/react-query';
import { componentsApi, type PlaneName } from '@weir/contract';
import { useTranslation } from 'react-i18next';
import { streamsQuery } from '../../../components/streams/streams-queries.ts';
import { ConfirmDialog } from '../../../components/ui/feedback/confirm-dialog.tsx';
import { client } from '../../../lib/api.ts';
import { notify } from '../../../lib/notify.ts';

interface RestartDialogProps {
  name: PlaneName;
  /** As it is called: without a media server of our own, the engine's process is a front door. */
  part: PlaneName | 'frontDoor';
  opened: boolean;
  /** The server took the request. */
  onAsked: () => void;
  onClose: () => void;
}

/** Names what a restart interrupts; for the engine also how many that is right now. */
export function RestartDialog({ name, part, opened, onAsked, onClose }: RestartDialogProps) {
  const { t } = useTranslation();
  const streams = useQuery({ ...streamsQuery, enabled: opened && part === 'engine' }).data?.streams ?? [];
  const viewers = streams.reduce((sum, { media }) => sum + (media?.viewers ?? 0), 0);
  const onAir = part === 'engine' && streams.length > 0 ? t('coms.onAir', { count: streams.length, viewers }) : '';
  const restart = useMutation({
    mutationFn: () => client.call(componentsApi.restart, { name }),
    onSuccess: () => {
      onAsked();
      notify.success(t(`coms.${part}.asked`));
    },
    onSettled: onClose,
  });
  return (
    <ConfirmDialog
      opened={opened}
      title={t(`coms.${part}.restart`)}
      text={[onAir, t(`coms.${part}.warning`)].filter((part) => part !== '').join(' ')}
      action={t(`coms.${part}.restart`)}
      busy={restart.isPending}
      onConfirm={() => restart.mutate()}
      onClose={onClose}
    />
  );
}
