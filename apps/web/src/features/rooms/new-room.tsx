import { Button, Group, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type Room, roomDefaults, roomLimits, roomsApi } from '@weir/contract';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { client } from '../../lib/api.ts';
import { useLocale } from '../../lib/i18n.ts';
import { roomsKey } from './rooms-queries.ts';

/** Makes a room, of which only the title is to be chosen. */
export function NewRoom({ onMade }: { onMade: (room: Room) => void }) {
  const { t } = useTranslation();
  const locale = useLocale();
  const queries = useQueryClient();
  const [title, setTitle] = useState(t('rooms.create.example'));
  const [isWrong, setIsWrong] = useState(false);
  const create = useMutation({
    mutationFn: async () => {
      const { uuid } = await client.call(roomsApi.create, { title: title.trim() });
      // What an assistant needs to be of use at once, in the language of whoever made the room.
      const settings = { ...roomDefaults, aiAsrLanguage: locale, aiChatPrompt: t('rooms.chat.defaultPrompt') };
      return client.call(roomsApi.update, { uuid, ...settings });
    },
    onSuccess: async (room) => {
      await queries.invalidateQueries({ queryKey: roomsKey });
      onMade(room);
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setIsWrong(title.trim() === '');
    if (title.trim() !== '' && !create.isPending) create.mutate();
  };
  return (
    <form onSubmit={submit} noValidate>
      <Group align="flex-end" gap="sm" maw={560}>
        <TextInput
          style={{ flex: '1 1 240px' }}
          label={t('rooms.title')}
          maxLength={roomLimits.titleCharacters}
          autoComplete="off"
          value={title}
          error={isWrong && t('rooms.titleMissing')}
          onChange={(event) => {
            setTitle(event.currentTarget.value);
            setIsWrong(false);
          }}
        />
        <Button type="submit" loading={create.isPending}>
          {t('rooms.create.action')}
        </Button>
      </Group>
    </form>
  );
}
