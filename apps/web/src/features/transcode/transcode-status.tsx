import { Anchor, Stack, Text } from '@mantine/core';
import type { TranscodeTask } from '@weir/contract';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { ProcessDetails } from '../../components/processes/process-details.tsx';
import { ProcessNow } from '../../components/processes/process-now.tsx';
import { StreamPlayer } from '../../components/streams/stream-player.tsx';
import { pageAddresses } from '../../components/streams/stream-sources.ts';
import { FactList } from '../../components/ui/facts/fact-list.tsx';
import { Moment } from '../../components/ui/facts/moment.tsx';
import { paths, useLocalPath } from '../../lib/paths.ts';
import classes from './transcode.module.css';

/** What the encoder does now, with what comes of it. */
export function TranscodeStatus({ task }: { task: TranscodeTask }) {
  const { t } = useTranslation();
  const localPath = useLocalPath();
  const { process, input, output, outputStream, frame } = task;
  return (
    <Stack gap="lg">
      <ProcessNow report={process} processKey="transcode/main" title={t('transcode.tab')} />
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

/** An address with a link to its player, where this server has it. */
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
