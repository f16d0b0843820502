import { Anchor, List, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type TranscodeTask, transcodeProcessKey } from '@weir/contract';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useOwnServer } from '../../components/outlets/destination/use-own-server.ts';
import { ProcessDetails } from '../../components/processes/process-details.tsx';
import { ProcessStateLabel } from '../../components/processes/process-state-label.tsx';
import { ProcessStatus } from '../../components/processes/process-status.tsx';
import { StreamPlayer } from '../../components/streams/stream-player.tsx';
import { pageAddresses } from '../../components/streams/stream-sources.ts';
import { useStreamAddresses } from '../../components/streams/use-stream-addresses.ts';
import { FactList } from '../../components/ui/facts/fact-list.tsx';
import { Moment } from '../../components/ui/facts/moment.tsx';
import { PageSkeleton } from '../../components/ui/feedback/page-skeleton.tsx';
import { StaleChip } from '../../components/ui/feedback/stale-chip.tsx';
import { Accordion } from '../../components/ui/layout/accordion.tsx';
import { paths, useLocalPath } from '../../lib/paths.ts';
import classes from './transcode.module.css';
import { TranscodeForm } from './transcode-form.tsx';
import { transcodeQuery, transcodeTaskQuery } from './transcode-queries.ts';

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

function TranscodeStatus({ task }: { task: TranscodeTask }) {
  const { t } = useTranslation();
  const localPath = useLocalPath();
  const { process, input, output, outputStream, frame } = task;
  return (
    <Stack gap="lg">
      <ProcessStatus report={process} processKey={transcodeProcessKey} title={t('transcode.tab')} />
      <ProcessDetails report={process} title={t('transcode.tab')}>
        <Text size="sm" c="dimmed">
          {t('transcode.status.waitingText')}{' '}
          <Anchor component={Link} to={localPath(`${paths.scenario}?tab=live`)} size="sm">
            {t('transcode.status.guide')}
          </Anchor>
        </Text>
      </ProcessDetails>
      {process.state === 'off' && (
        <Text size="sm" c="dimmed">
          {t('transcode.status.offText')}
        </Text>
      )}
      {input !== '' && (
        <div className={classes.columns}>
          <FactList
            facts={[
              { term: t('transcode.status.input'), value: <Place address={input} stream={input} /> },
              { term: t('transcode.status.output'), value: <Place address={output} stream={outputStream} /> },
              {
                term: t('transcode.status.frame'),
                value: frame ? (
                  <>
                    <code className={classes.frame}>{frame.log}</code>
                    <Moment at={frame.update} />
                  </>
                ) : (
                  t('transcode.status.noFrame')
                ),
              },
            ]}
          />
          {outputStream !== '' && process.state === 'live' && <StreamPlayer stream={outputStream} />}
        </div>
      )}
    </Stack>
  );
}

/** URL with a link to the player, if this server has the stream. */
function Place({ address, stream }: { address: string; stream: string }) {
  const { t } = useTranslation();
  return (
    <>
      <span className={classes.address}>{address}</span>{' '}
      {stream !== '' && (
        <Anchor size="sm" href={pageAddresses(stream).flvPlayer} target="_blank" rel="noreferrer">
          {t('transcode.status.preview')}
        </Anchor>
      )}
    </>
  );
}
