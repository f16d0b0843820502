import { Button, Group, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type Room, roomApi, roomLimits } from '@weir/contract';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { client } from '../../lib/api.ts';
import { roomsKey } from './rooms-queries.ts';

/** Makes a room, of which only the title is to be chosen. */
export function NewRoom({ onMade }: { onMade: (room: Room) => void }) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const [title, setTitle] = useState(t('rooms.create.example'));
  const [isWrong, setIsWrong] = useState(false);
  const create = useMutation({
    mutationFn: () => client.call(roomApi.create, { title: title.trim() }),
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
