import { Button, Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Room } from '@weir/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { EmptyList } from '../../components/outlets/empty-list.tsx';
import { streamsQuery } from '../../components/streams/streams-queries.ts';
import { StaleChip } from '../../components/ui/feedback/stale-chip.tsx';
import { StatePill } from '../../components/ui/feedback/state-pill.tsx';
import { FlowList, FlowRow } from '../../components/ui/layout/flow-row.tsx';
import { PageHead } from '../../components/ui/layout/page-head.tsx';
import { Section } from '../../components/ui/layout/section.tsx';
import { usePanelLink } from '../../components/ui/layout/use-panel-link.ts';
import { IconPlus } from '../../components/ui/theme/icons.ts';
import { RoomUsage } from './assistant/room-usage.tsx';
import { NewRoomSheet } from './new-room-sheet.tsx';
import { RoomRow } from './room-row.tsx';
import { RoomsArt } from './rooms-art.tsx';
import classes from './rooms-page.module.css';
import { roomGuestsQuery, roomsQuery } from './rooms-queries.ts';

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

function LoadingRows() {
  const { t } = useTranslation();
  return (
    <div aria-hidden="true">
      <FlowList label={t('rooms.list.title')}>
        {[0, 1].map((place) => (
          <FlowRow
            key={place}
            picture={<Skeleton height={45} radius={6} />}
            name={<Skeleton height={14} width={160} />}
            way={<Skeleton height={12} width={120} mt={8} />}
            state={<Skeleton height={14} width={70} />}
          />
        ))}
      </FlowList>
    </div>
  );
}
