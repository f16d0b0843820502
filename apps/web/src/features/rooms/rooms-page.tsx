import { Anchor, Button, Group, Stack, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type Room, roomDefaults, roomLimits, roomsApi } from '@weir/contract';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type Column, DataTable } from '../../components/ui/facts/data-table.tsx';
import { Moment } from '../../components/ui/facts/moment.tsx';
import { EmptyState } from '../../components/ui/feedback/empty-state.tsx';
import { PageSkeleton } from '../../components/ui/feedback/page-skeleton.tsx';
import { StaleChip } from '../../components/ui/feedback/stale-chip.tsx';
import { Accordion } from '../../components/ui/layout/accordion.tsx';
import { client } from '../../lib/api.ts';
import { useLocale } from '../../lib/i18n.ts';
import { RoomUsage } from './assistant/room-usage.tsx';
import { CopyRoomDialog, RemoveRoomDialog } from './room-dialogs.tsx';
import { roomsKey, roomsQuery } from './rooms-queries.ts';

interface RoomsPageProps {
  onOpen: (uuid: string) => void;
}

export function RoomsPage({ onOpen }: RoomsPageProps) {
  const { t } = useTranslation();
  const query = useQuery(roomsQuery);
  return (
    <Accordion
      initial={['1', '2']}
      items={[
        {
          key: '1',
          title: t('rooms.create.title'),
          help: t('rooms.create.help'),
          content: <NewRoom onMade={({ uuid }) => onOpen(uuid)} />,
        },
        {
          key: '2',
          title: t('rooms.list.title'),
          state: <StaleChip {...query} />,
          content: query.data ? (
            <Stack gap="lg">
              <RoomList rooms={query.data.rooms} onOpen={onOpen} />
              {query.data.rooms.length > 0 && <RoomUsage />}
            </Stack>
          ) : (
            <PageSkeleton />
          ),
        },
      ]}
    />
  );
}

function RoomList({ rooms, onOpen }: RoomsPageProps & { rooms: readonly Room[] }) {
  const { t } = useTranslation();
  // Keeps the room while the dialog fades out.
  const [target, setTarget] = useState<Room>();
  const [dialog, setDialog] = useState<'copy' | 'remove'>();
  const openDialog = (room: Room, what: 'copy' | 'remove') => {
    setTarget(room);
    setDialog(what);
  };
  const columns: Column<Room>[] = [
    { title: '#', render: (_room, index) => index + 1, isHiddenOnCards: true },
    {
      title: t('rooms.list.name'),
      isName: true,
      render: ({ uuid, title }) => (
        <Anchor component="button" type="button" ta="start" size="sm" onClick={() => onOpen(uuid)}>
          {title}
        </Anchor>
      ),
    },
    { title: t('rooms.list.uuid'), render: ({ uuid }) => <span title={uuid}>{uuid.slice(0, 8)}…</span>, isCode: true },
    { title: t('rooms.list.stream'), render: ({ stream }) => stream, isCode: true },
    { title: t('rooms.list.created'), render: (room) => <Moment at={room.created_at} /> },
  ];
  if (rooms.length === 0) return <EmptyState title={t('rooms.list.empty')} text={t('rooms.list.emptyText')} />;
  return (
    <>
      <DataTable
        label={t('rooms.list.title')}
        columns={columns}
        rows={rooms}
        keyOf={({ uuid }) => uuid}
        actionsTitle={t('helper.actions')}
        actions={(room) => (
          <Group gap="xs" wrap="nowrap" justify="flex-end">
            <Button
              variant="default"
              size="xs"
              aria-label={t('rooms.list.manageWhat', room)}
              onClick={() => onOpen(room.uuid)}
            >
              {t('rooms.list.manage')}
            </Button>
            <Button
              variant="default"
              size="xs"
              aria-label={t('rooms.copy.title', room)}
              onClick={() => openDialog(room, 'copy')}
            >
              {t('rooms.copy.action')}
            </Button>
            <Button
              variant="default"
              size="xs"
              aria-label={t('rooms.remove.title', room)}
              onClick={() => openDialog(room, 'remove')}
            >
              {t('rooms.remove.action')}
            </Button>
          </Group>
        )}
      />
      {target && (
        <>
          <RemoveRoomDialog room={target} opened={dialog === 'remove'} onClose={() => setDialog(undefined)} />
          <CopyRoomDialog room={target} opened={dialog === 'copy'} onClose={() => setDialog(undefined)} />
        </>
      )}
    </>
  );
}

function NewRoom({ onMade }: { onMade: (room: Room) => void }) {
  const { t } = useTranslation();
  const locale = useLocale();
  const queries = useQueryClient();
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
