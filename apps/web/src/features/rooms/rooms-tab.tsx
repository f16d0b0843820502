import { Button, Stack, Tabs, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { ApiError } from '@weir/client';
import { type Room, RoomChange, roomLimits, roomsApi } from '@weir/contract';
import { streamAddresses, type WirePlace } from '@weir/streams';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useNavigate, useSearchParams } from 'react-router';
import { SettingsForm } from '../../components/settings-form/settings-form.tsx';
import { useSettingsForm } from '../../components/settings-form/use-settings-form.ts';
import { parseStreamPath } from '../../components/streams/preview-query.ts';
import { StreamPlayer } from '../../components/streams/stream-player.tsx';
import { Thumbnail } from '../../components/streams/thumbnail.tsx';
import { EmptyState } from '../../components/ui/feedback/empty-state.tsx';
import { PageSkeleton } from '../../components/ui/feedback/page-skeleton.tsx';
import { StaleChip } from '../../components/ui/feedback/stale-chip.tsx';
import { StatePill } from '../../components/ui/feedback/state-pill.tsx';
import { StatusLabel } from '../../components/ui/feedback/status-label.tsx';
import { CopyField } from '../../components/ui/fields/copy-field.tsx';
import { SecretField } from '../../components/ui/fields/secret-field.tsx';
import { PageHead } from '../../components/ui/layout/page-head.tsx';
import { Section } from '../../components/ui/layout/section.tsx';
import { IconPencil } from '../../components/ui/theme/icons.ts';
import { client, isNotFound } from '../../lib/api.ts';
import { environmentQuery } from '../../lib/queries/system-queries.ts';
import { AssistantPanel } from './assistant/assistant-panel.tsx';
import classes from './room-page.module.css';
import { RoomMenu } from './room-row.tsx';
import { RoomsPage, useLiveStreams } from './rooms-page.tsx';
import { roomQuery, roomsKey } from './rooms-queries.ts';

export function RoomsTab() {
  const [query] = useSearchParams();
  const navigate = useNavigate();
  const addressOf = (uuid: string | undefined) => {
    const next = new URLSearchParams(query);
    next.delete('roomid');
    if (uuid !== undefined) next.set('roomid', uuid);
    return `?${next}`;
  };
  const uuid = query.get('roomid');
  if (uuid) return <RoomPage key={uuid} uuid={uuid} listAddress={addressOf(undefined)} />;
  return <RoomsPage addressOf={addressOf} onOpen={(next) => void navigate(addressOf(next))} />;
}

interface RoomPageProps {
  uuid: string;
  /** Address of the list of rooms. */
  listAddress: string;
}

/** Page of one room: its video and URLs first, then the assistant, then the settings. */
function RoomPage({ uuid, listAddress }: RoomPageProps) {
  const { t } = useTranslation();
  const query = useQuery(roomQuery(uuid));
  const isLive = useLiveStreams().has(query.data?.stream ?? '');
  const navigate = useNavigate();
  const room = query.data;
  if (isNotFound(query.error))
    return (
      <EmptyState title={t('rooms.gone')} text={t('rooms.goneText')}>
        <Button variant="default" size="xs" component={Link} to={listAddress}>
          {t('rooms.back')}
        </Button>
      </EmptyState>
    );
  if (!room) return query.failureCount > 0 ? <StaleChip {...query} /> : <PageSkeleton />;
  const state = t(isLive ? 'rooms.live' : 'rooms.off');
  return (
    <>
      <PageHead
        title={room.title}
        crumbs={[{ label: t('rooms.back'), to: listAddress }]}
        state={
          <>
            <StatePill tone={isLive ? 'ok' : 'off'} word={state} />
            <StaleChip {...query} />
          </>
        }
        purpose={t('rooms.streamIs', room)}
        action={
          <>
            <Button
              variant="default"
              component={Link}
              to={`${listAddress}&roomid=${uuid}#panel-1`}
              leftSection={<IconPencil size={16} aria-hidden />}
            >
              {t('rooms.settings.title')}
            </Button>
            <RoomMenu room={room} onRemoved={() => void navigate(listAddress)} />
          </>
        }
      />
      <div className={classes.page}>
        <RoomStreaming room={room} isLive={isLive} />
        <Section
          panel="3"
          title={t('rooms.assistant.title')}
          help={t('rooms.assistant.help')}
          state={
            <StatusLabel
              tone={room.assistant ? 'ok' : 'off'}
              word={t(room.assistant ? 'rooms.assistant.on' : 'rooms.assistant.off')}
              tinted
            />
          }
        >
          <AssistantPanel room={room} />
        </Section>
        <Section panel="1" isSplit title={t('rooms.settings.title')} help={t('rooms.settings.help')}>
          <RoomForm room={room} />
        </Section>
      </div>
    </>
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

/** Video of the room, and beside it the URLs to publish and to watch. */
function RoomStreaming({ room: { stream, secret }, isLive }: { room: Room; isLive: boolean }) {
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
    <div className={classes.stage}>
      <div className={classes.video}>
        {isLive ? <StreamPlayer stream={`live/${stream}`} /> : <OffAir place={parseStreamPath(`live/${stream}`)} />}
      </div>
      <Section panel="2" title={t('rooms.streaming.title')} help={t('rooms.streaming.help')}>
        <Tabs defaultValue="rtmp" keepMounted={false}>
          <Tabs.List mb="md">
            <Tabs.Tab value="rtmp">RTMP</Tabs.Tab>
            <Tabs.Tab value="srt">SRT</Tabs.Tab>
            <Tabs.Tab value="whip">WebRTC</Tabs.Tab>
          </Tabs.List>
          <Tabs.Panel value="rtmp">
            <Stack gap="sm">
              <CopyField label={t('rooms.streaming.server')} value={addresses.rtmpServer} />
              <CopyField label={t('rooms.streaming.key')} value={addresses.rtmpStreamKey} secret={secret} />
            </Stack>
          </Tabs.Panel>
          <Tabs.Panel value="srt">
            <CopyField
              label={t('rooms.streaming.srt')}
              value={addresses.srtPublishUrl}
              secret={secret}
              help={t('rooms.streaming.srtHelp')}
            />
          </Tabs.Panel>
          <Tabs.Panel value="whip">
            <Stack gap="sm">
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
        <Stack gap="sm" mt="lg">
          <CopyField label={t('rooms.streaming.player')} value={player} qrValue={player} />
          <CopyField label={t('rooms.streaming.hls')} value={addresses.m3u8Url} />
        </Stack>
      </Section>
    </div>
  );
}

/** The last picture, and how the room goes live. */
function OffAir({ place }: { place: WirePlace }) {
  const { t } = useTranslation();
  return (
    <figure className={classes.offAir}>
      <Thumbnail stream={place} isLive={false} />
      <figcaption>
        <strong>{t('rooms.streaming.offAir')}</strong>
        <span>{t('rooms.streaming.offAirText')}</span>
      </figcaption>
    </figure>
  );
}
