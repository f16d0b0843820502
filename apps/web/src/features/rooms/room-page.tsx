import { Button, Group, Stack, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { EmptyState } from '../../components/ui/feedback/empty-state.tsx';
import { PageSkeleton } from '../../components/ui/feedback/page-skeleton.tsx';
import { StaleChip } from '../../components/ui/feedback/stale-chip.tsx';
import { StatusLabel } from '../../components/ui/feedback/status-label.tsx';
import { Accordion } from '../../components/ui/layout/accordion.tsx';
import { isGone } from '../../lib/api.ts';
import { AssistantPanel } from './assistant/assistant-panel.tsx';
import { RoomForm } from './room-form.tsx';
import classes from './room-page.module.css';
import { RoomStreaming } from './room-streaming.tsx';
import { roomQuery } from './rooms-queries.ts';

interface RoomPageProps {
  uuid: string;
  onBack: () => void;
}

/** One room: how to publish to it, its assistant, and how it is called. */
export function RoomPage({ uuid, onBack }: RoomPageProps) {
  const { t } = useTranslation();
  const query = useQuery(roomQuery(uuid));
  const room = query.data;
  const isRemoved = isGone(query.error);
  const back = (
    <Button variant="default" size="xs" onClick={onBack}>
      {t('rooms.back')}
    </Button>
  );
  if (isRemoved)
    return (
      <EmptyState title={t('rooms.gone')} text={t('rooms.goneText')}>
        {back}
      </EmptyState>
    );
  if (!room) return query.failureCount > 0 ? <StaleChip {...query} /> : <PageSkeleton />;
  return (
    <Stack gap="md">
      <Group gap="sm">
        {back}
        <Title order={2} className={classes.title}>
          {room.title}
        </Title>
      </Group>
      <Accordion
        initial={['2', '3']}
        items={[
          {
            key: '2',
            title: t('rooms.streaming.title'),
            help: t('rooms.streaming.help'),
            state: <StaleChip {...query} />,
            content: <RoomStreaming room={room} />,
          },
          {
            key: '3',
            title: t('rooms.assistant.title'),
            help: t('rooms.assistant.help'),
            state: (
              <StatusLabel
                tone={room.assistant ? 'ok' : 'off'}
                word={t(room.assistant ? 'rooms.assistant.on' : 'rooms.assistant.off')}
                tinted
              />
            ),
            content: <AssistantPanel room={room} />,
          },
          {
            key: '1',
            title: t('rooms.settings.title'),
            help: room.title,
            content: <RoomForm room={room} />,
          },
        ]}
      />
    </Stack>
  );
}
