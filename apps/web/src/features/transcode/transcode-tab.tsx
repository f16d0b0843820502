import { Anchor, List, SegmentedControl, Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ProcessReport, type TranscodeTask, transcodeProcessKey } from '@weir/contract';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useNavigate, useSearchParams } from 'react-router';
import { formatBitrate } from '../../components/figures/format-figures.ts';
import { useOwnServer } from '../../components/outlets/destination/use-own-server.ts';
import { TranscodeArt } from '../../components/outlets/empty-art.tsx';
import { LogButton } from '../../components/processes/log-button.tsx';
import { ProcessFigures } from '../../components/processes/process-numbers.tsx';
import { ProcessReason } from '../../components/processes/process-reason.tsx';
import { ProcessSince } from '../../components/processes/process-since.tsx';
import { ProcessStateLabel } from '../../components/processes/process-state-label.tsx';
import { parseStreamPath } from '../../components/streams/preview-query.ts';
import { StreamLink } from '../../components/streams/stream-link.tsx';
import { StreamPlayer } from '../../components/streams/stream-player.tsx';
import { pageAddresses } from '../../components/streams/stream-sources.ts';
import { Thumbnail } from '../../components/streams/thumbnail.tsx';
import { useStreamAddresses } from '../../components/streams/use-stream-addresses.ts';
import { FactList } from '../../components/ui/facts/fact-list.tsx';
import { Moment } from '../../components/ui/facts/moment.tsx';
import { PageSkeleton } from '../../components/ui/feedback/page-skeleton.tsx';
import { StaleChip } from '../../components/ui/feedback/stale-chip.tsx';
import { FlowList, FlowRow } from '../../components/ui/layout/flow-row.tsx';
import { PageHead } from '../../components/ui/layout/page-head.tsx';
import { PagePart } from '../../components/ui/layout/page-part.tsx';
import { useLocale } from '../../lib/i18n.ts';
import { paths, useLocalPath } from '../../lib/paths.ts';
import { LadderPanel } from './ladder/ladder-panel.tsx';
import classes from './transcode.module.css';
import { TranscodeForm } from './transcode-form.tsx';
import { transcodeQuery, transcodeTaskQuery } from './transcode-queries.ts';

/** The output of the specification, or lower qualities of streams. */
export function TranscodeTab() {
  const { t } = useTranslation();
  const task = useQuery(transcodeTaskQuery);
  const [query] = useSearchParams();
  const navigate = useNavigate();
  const mode = query.get('mode') === 'ladder' ? 'ladder' : 'single';
  const choose = (next: string) => {
    const changed = new URLSearchParams(query);
    changed.delete('mode');
    if (next === 'ladder') changed.set('mode', next);
    void navigate(`?${changed}`);
  };
  return (
    <>
      <PageHead
        title={t('transcode.tab')}
        state={mode === 'single' && task.data && <ProcessStateLabel report={task.data.process} />}
        purpose={t('nav.purpose.transcode')}
        help={{ content: <Introduction />, panel: '0' }}
      />
      <SegmentedControl
        aria-label={t('ladder.mode.label')}
        className={classes.mode}
        value={mode}
        onChange={choose}
        data={[
          { value: 'single', label: t('ladder.mode.single') },
          { value: 'ladder', label: t('ladder.mode.ladder') },
        ]}
      />
      <div className={classes.page}>{mode === 'ladder' ? <LadderPanel /> : <OneOutput />}</div>
    </>
  );
}

function OneOutput() {
  const { t } = useTranslation();
  const config = useQuery(transcodeQuery);
  const task = useQuery(transcodeTaskQuery);
  const addresses = useStreamAddresses();
  const ownServer = useOwnServer();
  if (!config.data && config.failureCount > 0) return <StaleChip {...config} />;
  if (!config.data || !addresses || !ownServer) return <PageSkeleton />;
  const own = { server: addresses.rtmpServer, secret: addresses.transcodeStreamKey };
  return (
    <>
      <StaleChip {...(task.failureCount > 0 ? task : config)} />
      <PagePart panel="2" title={t('transcode.status.header')}>
        {task.data ? <TranscodeStatus task={task.data} /> : <Skeleton height={88} />}
      </PagePart>
      <PagePart panel="1" title={t('transcode.config.header')} note={t('transcode.config.help')}>
        <TranscodeForm saved={config.data} own={own} ownServer={ownServer} task={task.data} />
      </PagePart>
    </>
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
      <Text size="sm" maw={760} mt="sm">
        {t('ladder.intro')}
      </Text>
    </>
  );
}

/** Running transcode as a row with its details; while it is off, its purpose. */
function TranscodeStatus({ task }: { task: TranscodeTask }) {
  const { t } = useTranslation();
  const locale = useLocale();
  const { process, input, output, outputStream } = task;
  if (process.state === 'off') {
    return (
      <div className={classes.off}>
        <div className={classes.art}>
          <TranscodeArt />
        </div>
        <div className={classes.offText}>
          <p>{t('transcode.status.offText')}</p>
          {process.starts > 0 && <LogButton processKey={transcodeProcessKey} title={t('transcode.tab')} />}
        </div>
      </div>
    );
  }
  const isLive = process.state === 'live';
  const picture = outputStream || input;
  return (
    <FlowList
      label={t('transcode.status.header')}
      heads={[t('transcode.status.output'), t('plat.com.state'), t('process.numbers.kbps'), '']}
    >
      <FlowRow
        picture={<Thumbnail stream={picture === '' ? undefined : parseStreamPath(picture)} isLive={isLive} />}
        name={
          outputStream === '' ? output || t('transcode.tab') : <StreamLink stream={parseStreamPath(outputStream)} />
        }
        way={input === '' ? t('process.state.waiting') : t('transcode.status.from', { stream: input })}
        state={<ProcessStateLabel report={process} tinted={false} />}
        since={<ProcessSince report={process} />}
        bitrate={isLive && formatBitrate(process.numbers?.kbps ?? undefined, locale)}
        menu={process.starts > 0 && <LogButton processKey={transcodeProcessKey} title={t('transcode.tab')} />}
      >
        <TranscodeDetails task={task} />
      </FlowRow>
    </FlowList>
  );
}

function TranscodeDetails({ task }: { task: TranscodeTask }) {
  const { t } = useTranslation();
  const localPath = useLocalPath();
  const { process, input, output, outputStream, frame } = task;
  return (
    <Stack gap="lg">
      <ProcessDetails report={process} title={t('transcode.tab')}>
        <Text size="sm" c="dimmed">
          {t('transcode.status.waitingText')}{' '}
          <Anchor component={Link} to={localPath(`${paths.scenario}?tab=live`)} size="sm">
            {t('transcode.status.guide')}
          </Anchor>
        </Text>
      </ProcessDetails>
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

interface ProcessDetailsProps {
  report: ProcessReport;
  /** Label for screen readers. */
  title: string;
  /** Hint while there is no input. */
  children?: ReactNode;
}

/** Problem and remedy of a process, or its figures. The state itself is shown elsewhere. */
function ProcessDetails({ report, title, children }: ProcessDetailsProps) {
  const { numbers, starts, state } = report;
  return (
    <Stack gap="sm">
      <ProcessReason report={report} />
      {state === 'waiting' && children}
      {numbers && <ProcessFigures title={title} numbers={numbers} starts={starts} />}
    </Stack>
  );
}
