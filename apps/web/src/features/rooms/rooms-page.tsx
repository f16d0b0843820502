import { Button, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type Room, roomDefaults, roomLimits, roomsApi } from '@weir/contract';
import { type FormEvent, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { EmptyList } from '../../components/outlets/empty-list.tsx';
import { streamsQuery } from '../../components/streams/streams-queries.ts';
import { artAccent, artLine, artPaper } from '../../components/ui/feedback/art-line.ts';
import { StaleChip } from '../../components/ui/feedback/stale-chip.tsx';
import { StatePill } from '../../components/ui/feedback/state-pill.tsx';
import { FlowList, LoadingRows } from '../../components/ui/layout/flow-row.tsx';
import { PageHead } from '../../components/ui/layout/page-head.tsx';
import { Section } from '../../components/ui/layout/section.tsx';
import { SideSheet } from '../../components/ui/layout/side-sheet.tsx';
import { usePanelLink } from '../../components/ui/layout/use-panel-link.ts';
import { IconPlus } from '../../components/ui/theme/icons.ts';
import { client } from '../../lib/api.ts';
import { useLocale } from '../../lib/i18n.ts';
import { RoomUsage } from './assistant/room-usage.tsx';
import { RoomRow } from './room-row.tsx';
import classes from './rooms-page.module.css';
import { roomGuestsQuery, roomsKey, roomsQuery } from './rooms-queries.ts';

interface RoomsPageProps {
  addressOf: (uuid: string) => string;
  onOpen: (uuid: string) => void;
}

/** All rooms as rows, and a sheet that adds one. */
export function RoomsPage({ addressOf, onOpen }: RoomsPageProps) {
  const { t } = useTranslation();
  const query = useQuery(roomsQuery);
  const liveStreams = useLiveStreams();
  const guests = useQuery(roomGuestsQuery).data?.rooms;
  const [isAdding, setIsAdding] = useState(false);
  usePanelLink((key) => key === '1' && setIsAdding(true));
  const rooms = query.data?.rooms;
  const add = (
    <Button leftSection={<IconPlus size={18} aria-hidden />} onClick={() => setIsAdding(true)}>
      {t('rooms.create.add')}
    </Button>
  );
  return (
    <>
      <PageHead
        title={t('rooms.tab')}
        state={rooms && <RoomsPill rooms={rooms} liveStreams={liveStreams} />}
        purpose={t('nav.purpose.stream')}
        action={rooms?.length !== 0 && add}
      />
      <StaleChip {...query} />
      <section id="panel-2" data-key="2" tabIndex={-1} aria-label={t('rooms.list.title')}>
        {!rooms && query.failureCount === 0 && <LoadingRows />}
        {rooms?.length === 0 && <EmptyList art={<RoomsArt />} text={t('rooms.list.emptyText')} action={add} />}
        {rooms && rooms.length > 0 && (
          <FlowList
            label={t('rooms.list.title')}
            heads={[t('rooms.list.room'), t('rooms.list.state'), t('rooms.list.guestsHead'), null]}
          >
            {rooms.map((room) => (
              <RoomRow
                key={room.uuid}
                room={room}
                isLive={liveStreams.has(room.stream)}
                guests={guests && (guests.find(({ uuid }) => uuid === room.uuid)?.guests ?? 0)}
                to={addressOf(room.uuid)}
              />
            ))}
          </FlowList>
        )}
      </section>
      {rooms && rooms.length > 0 && (
        <div className={classes.usage}>
          <Section title={t('rooms.use.title')} isSplit help={t('rooms.use.help')}>
            <RoomUsage isTitled={false} />
          </Section>
        </div>
      )}
      <NewRoomSheet opened={isAdding} onClose={() => setIsAdding(false)} onMade={({ uuid }) => onOpen(uuid)} />
    </>
  );
}

/** Names of live streams of the app that rooms belong to. */
export function useLiveStreams(): ReadonlySet<string> {
  const { data } = useQuery(streamsQuery);
  return new Set(data?.streams.filter(({ app }) => app === 'live').map(({ stream }) => stream));
}

function RoomsPill({ rooms, liveStreams }: { rooms: readonly Room[]; liveStreams: ReadonlySet<string> }) {
  const { t } = useTranslation();
  const live = rooms.filter(({ stream }) => liveStreams.has(stream)).length;
  if (rooms.length === 0) return null;
  if (live === 0) return <StatePill tone="off" word={t('rooms.list.noneLive')} />;
  return <StatePill tone="ok" word={t('rooms.list.live', { count: live })} />;
}

/** A door with its own key, and guests who talk behind it. */
function RoomsArt() {
  return (
    <svg viewBox="0 0 260 120" aria-hidden="true" {...artLine}>
      <circle cx="30" cy="60" r="12" fill={artPaper} />
      <path d="M42 60h40M70 60v10M80 60v8" stroke={artAccent} />
      <circle cx="30" cy="60" r="3" fill={artAccent} stroke="none" />
      <rect x="98" y="16" width="60" height="92" rx="6" fill={artPaper} />
      <path d="M88 108h152" />
      <circle cx="110" cy="62" r="4" fill={artAccent} stroke="none" />
      <path d="M122 34h24M122 44h16" />
      <path
        d="M176 30h44a6 6 0 0 1 6 6v20a6 6 0 0 1-6 6h-30l-10 9v-9h-4a6 6 0 0 1-6-6V36a6 6 0 0 1 6-6z"
        fill={artPaper}
      />
      <path d="M184 42h28M184 51h18" stroke={artAccent} />
      <circle cx="214" cy="84" r="8" fill={artPaper} />
      <path d="M200 108c0-9 6-14 14-14s14 5 14 14" fill={artPaper} />
    </svg>
  );
}

interface NewRoomSheetProps {
  opened: boolean;
  onClose: () => void;
  onMade: (room: Room) => void;
}

/** A room needs only a title; everything else is on its page. */
function NewRoomSheet({ opened, onClose, onMade }: NewRoomSheetProps) {
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
