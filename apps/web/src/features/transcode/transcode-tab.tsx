import { List, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { ProcessStateLabel } from '../../components/processes/process-state-label.tsx';
import { useOwnServer } from '../../components/streams/use-own-server.ts';
import { useStreamAddresses } from '../../components/streams/use-stream-addresses.ts';
import { PageSkeleton } from '../../components/ui/feedback/page-skeleton.tsx';
import { StaleChip } from '../../components/ui/feedback/stale-chip.tsx';
import { Accordion } from '../../components/ui/layout/accordion.tsx';
import { TranscodeForm } from './transcode-form.tsx';
import { transcodeQuery, transcodeTaskQuery } from './transcode-queries.ts';
import { TranscodeStatus } from './transcode-status.tsx';

/** Encodes a live stream anew: what for, how, and what comes of it. */
export function TranscodeTab() {
  const { t } = useTranslation();
  const config = useQuery(transcodeQuery);
  const task = useQuery(transcodeTaskQuery);
  const addresses = useStreamAddresses();
  const ownServer = useOwnServer();
  if (!config.data && config.failureCount > 0) return <StaleChip {...config} />;
  if (!config.data || !addresses || !ownServer) return <PageSkeleton />;
  const own = { server: addresses.rtmpServer, secret: addresses.transcodeStreamKey };
  const state =
    task.failureCount > 0 ? <StaleChip {...task} /> : task.data && <ProcessStateLabel report={task.data.process} />;
  return (
    <Accordion
      initial={config.data.all ? '2' : '1'}
      items={[
        {
          key: '2',
          title: t('transcode.status.header'),
          help: t('transcode.status.help'),
          state,
          content: task.data ? <TranscodeStatus task={task.data} /> : <PageSkeleton />,
        },
        {
          key: '1',
          title: t('transcode.config.header'),
          help: t('transcode.config.help'),
          state: <StaleChip {...config} />,
          content: <TranscodeForm saved={config.data} own={own} ownServer={ownServer} task={task.data} />,
        },
        { key: '0', title: t('transcode.intro.title'), content: <Introduction /> },
      ]}
    />
  );
}

const uses = ['small', 'webrtc', 'platform'] as const;

function Introduction() {
  const { t } = useTranslation();
  return (
    <>
      <Text size="sm" maw={760} mb="sm">
        {t('transcode.intro.summary')}
      </Text>
      <List size="sm" maw={760} spacing="xs">
        {uses.map((use) => (
          <List.Item key={use}>{t(`transcode.intro.${use}`)}</List.Item>
        ))}
      </List>
      <Text size="sm" maw={760} mt="sm">
        {t('transcode.intro.cost')}
      </Text>
    </>
  );
}
