import { Stack, Tabs } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Room } from '@weir/contract';
import { streamAddresses } from '@weir/dialect';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { StreamPlayer } from '../../components/streams/stream-player.tsx';
import { PageSkeleton } from '../../components/ui/feedback/page-skeleton.tsx';
import { CopyField } from '../../components/ui/fields/copy-field.tsx';
import { environmentQuery } from '../../lib/queries/system-queries.ts';

/** Every address of a room's stream, with its own secret, and the stream itself. */
export function RoomStreaming({ room: { stream, secret } }: { room: Room }) {
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
