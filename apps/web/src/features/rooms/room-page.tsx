import { Button, Group, Stack, Tabs, TextInput, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { ApiError } from '@weir/client';
import { type Room, RoomChange, roomLimits, roomsApi } from '@weir/contract';
import { streamAddresses } from '@weir/streams';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { SettingsForm } from '../../components/settings-form/settings-form.tsx';
import { useSettingsForm } from '../../components/settings-form/use-settings-form.ts';
import { StreamPlayer } from '../../components/streams/stream-player.tsx';
import { EmptyState } from '../../components/ui/feedback/empty-state.tsx';
import { PageSkeleton } from '../../components/ui/feedback/page-skeleton.tsx';
import { StaleChip } from '../../components/ui/feedback/stale-chip.tsx';
import { StatusLabel } from '../../components/ui/feedback/status-label.tsx';
import { CopyField } from '../../components/ui/fields/copy-field.tsx';
import { SecretField } from '../../components/ui/fields/secret-field.tsx';
import { Accordion } from '../../components/ui/layout/accordion.tsx';
import { client, isNotFound } from '../../lib/api.ts';
import { environmentQuery } from '../../lib/queries/system-queries.ts';
import { AssistantPanel } from './assistant/assistant-panel.tsx';
import classes from './room-page.module.css';
import { roomQuery, roomsKey } from './rooms-queries.ts';

interface RoomPageProps {
  uuid: string;
  onBack: () => void;
}

export function RoomPage({ uuid, onBack }: RoomPageProps) {
  const { t } = useTranslation();
  const query = useQuery(roomQuery(uuid));
  const room = query.data;
  const isRemoved = isNotFound(query.error);
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

type Fields = Pick<Room, 'title' | 'stream' | 'secret'>;

const fields = ['title', 'stream', 'secret'] as const satisfies readonly (keyof Fields)[];

function RoomForm({ room }: { room: Room }) {
  const { t } = useTranslation();
  const { uuid, title, stream, secret } = room;
  const form = useSettingsForm<Fields, readonly (keyof Fields)[]>({
    saved: { title, stream, secret },
    check: (value) => {
      const wrong = fields.filter((field) => !RoomChange.shape[field].safeParse(value[field]).success);
      return wrong.length > 0 ? wrong : undefined;
    },
    save: (value) => client.call(roomsApi.update, { uuid, ...value }),
    refresh: (queries) => queries.invalidateQueries({ queryKey: roomsKey }),
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

/** The form has checked the fields; only the server knows the stream names of other rooms. */
function isTaken(error: unknown): boolean {
  return error instanceof ApiError && error.status === 422;
}

function RoomStreaming({ room: { stream, secret } }: { room: Room }) {
  const { t } = useTranslation();
  const { data: environment } = useQuery(environmentQuery);
  const addresses = useMemo(
    () =>
      environment &&
      streamAddresses({ path: `live/${stream}`, secret: { publish: secret }, page: window.location, environment }),
    [stream, secret, environment],
  );
  if (!addresses) return <PageSkeleton />;
  const absolute = (address: string) => new URL(address, window.location.href).href;
  const player = absolute(addresses.hlsPlayer);
  return (
    <Stack gap="lg">
      <Tabs defaultValue="rtmp" keepMounted={false}>
        <Tabs.List mb="md">
          <Tabs.Tab value="rtmp">RTMP</Tabs.Tab>
          <Tabs.Tab value="srt">SRT</Tabs.Tab>
          <Tabs.Tab value="whip">WebRTC</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="rtmp">
          <Stack gap="md" maw={760}>
            <CopyField label={t('rooms.streaming.server')} value={addresses.rtmpServer} />
            <CopyField label={t('rooms.streaming.key')} value={addresses.rtmpStreamKey} secret={secret} />
          </Stack>
        </Tabs.Panel>
        <Tabs.Panel value="srt">
          <Stack gap="md" maw={760}>
            <CopyField
              label={t('rooms.streaming.srt')}
              value={addresses.srtPublishUrl}
              secret={secret}
              help={t('rooms.streaming.srtHelp')}
            />
          </Stack>
        </Tabs.Panel>
        <Tabs.Panel value="whip">
          <Stack gap="md" maw={760}>
            <CopyField label={t('rooms.streaming.whip')} value={absolute(addresses.whipUrl)} secret={secret} />
            <CopyField
              label={t('rooms.streaming.browser')}
              value={absolute(addresses.rtcPublisher)}
              secret={secret}
              qrValue={absolute(addresses.rtcPublisher)}
            />
          </Stack>
        </Tabs.Panel>
      </Tabs>
      <Stack gap="md" maw={760}>
        <CopyField label={t('rooms.streaming.player')} value={player} qrValue={player} />
        <CopyField label={t('rooms.streaming.hls')} value={addresses.m3u8Url} />
      </Stack>
      <div style={{ maxWidth: 560 }}>
        <StreamPlayer stream={`live/${stream}`} />
      </div>
    </Stack>
  );
}
