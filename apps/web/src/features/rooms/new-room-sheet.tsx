import { Button, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type Room, roomDefaults, roomLimits, roomsApi } from '@weir/contract';
import { type FormEvent, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { SideSheet } from '../../components/ui/layout/side-sheet.tsx';
import { client } from '../../lib/api.ts';
import { useLocale } from '../../lib/i18n.ts';
import { roomsKey } from './rooms-queries.ts';

interface NewRoomSheetProps {
  opened: boolean;
  onClose: () => void;
  onMade: (room: Room) => void;
}

/** A room needs only a title; everything else is on its page. */
export function NewRoomSheet({ opened, onClose, onMade }: NewRoomSheetProps) {
  const { t } = useTranslation();
  const locale = useLocale();
  const queries = useQueryClient();
  const formId = useId();
  const [title, setTitle] = useState(t('rooms.create.example'));
  const [isWrong, setIsWrong] = useState(false);
  const create = useMutation({
    mutationFn: async () => {
      const { uuid } = await client.call(roomsApi.create, { title: title.trim() });
      // Defaults that make the assistant useful at once, in the language of the console.
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
    <SideSheet
      opened={opened}
      onClose={onClose}
      title={t('rooms.create.add')}
      footer={
        <>
          <Button type="submit" form={formId} loading={create.isPending}>
            {t('rooms.create.action')}
          </Button>
          <Button variant="default" onClick={onClose}>
            {t('helper.cancel')}
          </Button>
        </>
      }
    >
      <form id={formId} onSubmit={submit} noValidate data-key="1">
        <Stack gap="md">
          <TextInput
            data-autofocus
            size="md"
            label={t('rooms.title')}
            description={t('rooms.titleHelp')}
            maxLength={roomLimits.titleCharacters}
            autoComplete="off"
            value={title}
            error={isWrong && t('rooms.titleMissing')}
            onChange={(event) => {
              setTitle(event.currentTarget.value);
              setIsWrong(false);
            }}
          />
          <Text size="sm" c="dimmed">
            {t('rooms.create.help')}
          </Text>
        </Stack>
      </form>
    </SideSheet>
  );
}
