import { TextInput } from '@mantine/core';
import { ApiError } from '@weir/client';
import { type Room, RoomChange, roomLimits, roomsApi } from '@weir/contract';
import { useTranslation } from 'react-i18next';
import { SettingsForm } from '../../components/settings-form/settings-form.tsx';
import { useSettingsForm } from '../../components/settings-form/use-settings-form.ts';
import { SecretField } from '../../components/ui/fields/secret-field.tsx';
import { client } from '../../lib/api.ts';
import { roomsKey } from './rooms-queries.ts';

type Fields = Pick<Room, 'title' | 'stream' | 'secret'>;

const fields = ['title', 'stream', 'secret'] as const satisfies readonly (keyof Fields)[];

/** The name of a room, and the name and secret of its stream. */
export function RoomForm({ room }: { room: Room }) {
  const { t } = useTranslation();
  const { uuid, title, stream, secret } = room;
  const form = useSettingsForm<Fields, readonly (keyof Fields)[]>({
    saved: { title, stream, secret },
    check: (value) => {
      const wrong = fields.filter((field) => !RoomChange.shape[field].safeParse(value[field]).success);
      return wrong.length > 0 ? wrong : undefined;
    },
    save: (value) => client.call(roomsApi.update, { uuid, ...value }),
    settle: (queries) => queries.invalidateQueries({ queryKey: roomsKey }),
    done: t('helper.setOk'),
    handles: isTaken,
  });
  const isWrong = (field: keyof Fields) => form.problem?.includes(field) === true;
  const streamError = isWrong('stream')
    ? t('rooms.streamInvalid')
    : form.refusal !== undefined && t('rooms.streamTaken');
  return (
    <SettingsForm form={form} width={560}>
      <TextInput
        size="md"
        label={t('rooms.title')}
        maxLength={roomLimits.titleCharacters}
        autoComplete="off"
        value={form.value.title}
        error={isWrong('title') && t('rooms.titleMissing')}
        onChange={(event) => form.edit({ title: event.currentTarget.value })}
      />
      <TextInput
        size="md"
        label={t('rooms.stream')}
        description={t('rooms.streamHelp')}
        autoComplete="off"
        spellCheck={false}
        autoCapitalize="none"
        value={form.value.stream}
        error={streamError}
        onChange={(event) => form.edit({ stream: event.currentTarget.value })}
      />
      <SecretField
        label={t('rooms.secret')}
        description={t('rooms.secretHelp')}
        value={form.value.secret}
        error={isWrong('secret') ? t('rooms.secretInvalid') : undefined}
        onChange={(next) => form.edit({ secret: next })}
      />
    </SettingsForm>
  );
}

/** What is wrong by itself was found before; the server alone knows the names of other rooms. */
function isTaken(error: unknown): boolean {
  return error instanceof ApiError && error.status === 422;
}
