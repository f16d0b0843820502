import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type Room, roomsApi } from '@weir/contract';
import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from '../../components/ui/feedback/confirm-dialog.tsx';
import { client } from '../../lib/api.ts';
import { notify } from '../../lib/notify.ts';
import { roomsKey } from './rooms-queries.ts';

interface RoomDialogProps {
  room: Room;
  opened: boolean;
  onClose: () => void;
  /** Called after success. */
  onDone?: () => void;
}

export function RemoveRoomDialog(props: RoomDialogProps) {
  const { t } = useTranslation();
  const { uuid } = props.room;
  return (
    <RoomDialog
      {...props}
      what="remove"
      done={t('rooms.remove.done')}
      act={() => client.call(roomsApi.remove, { uuid })}
    />
  );
}

/** Revokes all links to the room. */
export function RotateRoomDialog(props: RoomDialogProps) {
  const { t } = useTranslation();
  const { uuid } = props.room;
  const rotate = () => client.call(roomsApi.rotate, { uuid });
  return <RoomDialog {...props} what="rotate" done={t('rooms.rotate.done')} act={rotate} />;
}

/** Does not save the form. */
export function DisableAssistantDialog(props: RoomDialogProps) {
  const { t } = useTranslation();
  const { uuid } = props.room;
  const disable = () => client.call(roomsApi.update, { uuid, assistant: false });
  return <RoomDialog {...props} what="disable" done={t('rooms.disable.done')} act={disable} />;
}

/** Copies the settings; names, secrets and tokens belong to one room. */
export function CopyRoomDialog(props: RoomDialogProps) {
  const { t } = useTranslation();
  const copy = async () => {
    const {
      uuid: _uuid,
      stream: _stream,
      secret: _secret,
      roomToken: _token,
      aiSecretKey,
      aiBaseURL,
      ...settings
    } = props.room;
    const title = t('rooms.copy.of', props.room);
    const { uuid } = await client.call(roomsApi.create, { title });
    // Only the server knows the provider's key, and it never copies it to another room.
    const provider = aiSecretKey === '' ? { aiSecretKey, aiBaseURL } : {};
    return client.call(roomsApi.update, { ...settings, ...provider, uuid, title });
  };
  return <RoomDialog {...props} what="copy" done={t('rooms.copy.done')} act={copy} />;
}

interface ActProps extends RoomDialogProps {
  what: 'copy' | 'disable' | 'remove' | 'rotate';
  done: string;
  act: () => Promise<unknown>;
}

function RoomDialog({ room, opened, onClose, what, done, act, onDone }: ActProps) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const mutation = useMutation({
    mutationFn: act,
    onSuccess: () => {
      notify.success(done);
      onDone?.();
    },
    onSettled: () => {
      onClose();
      return queries.invalidateQueries({ queryKey: roomsKey });
    },
  });
  return (
    <ConfirmDialog
      opened={opened}
      title={t(`rooms.${what}.title`, room)}
      text={t(`rooms.${what}.text`)}
      action={t(`rooms.${what}.action`)}
      busy={mutation.isPending}
      onConfirm={() => mutation.mutate()}
      onClose={onClose}
    />
  );
}
