import { ActionIcon, Button, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import {
  type ActiveStream,
  globPath,
  matchingGlob,
  type Recording,
  type RecordSettings,
  type RecordStorage,
  recordApi,
} from '@weir/contract';
import { streamLabel } from '@weir/streams';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useNow } from '../../components/processes/use-now.ts';
import { DataAge } from '../../components/streams/data-age.tsx';
import { StreamLink } from '../../components/streams/stream-link.tsx';
import { streamsQuery } from '../../components/streams/streams-queries.ts';
import { Thumbnail } from '../../components/streams/thumbnail.tsx';
import { Answers } from '../../components/ui/facts/answers.tsx';
import { Moment } from '../../components/ui/facts/moment.tsx';
import { Notice } from '../../components/ui/feedback/notice.tsx';
import { PageSkeleton } from '../../components/ui/feedback/page-skeleton.tsx';
import { StaleChip } from '../../components/ui/feedback/stale-chip.tsx';
import { StatePill } from '../../components/ui/feedback/state-pill.tsx';
import { StatusLabel } from '../../components/ui/feedback/status-label.tsx';
import { FlowList, FlowRow } from '../../components/ui/layout/flow-row.tsx';
import { PageHead } from '../../components/ui/layout/page-head.tsx';
import { PagePart } from '../../components/ui/layout/page-part.tsx';
import { IconPlayerPlay, IconPlayerRecord } from '../../components/ui/theme/icons.ts';
import { client } from '../../lib/api.ts';
import { formatBytes, formatClock, formatPosition } from '../../lib/format.ts';
import { useLocale } from '../../lib/i18n.ts';
import { notify } from '../../lib/notify.ts';
import { GlobMatches, isRecordingOn } from './globs-form.tsx';
import { Library } from './library/library.tsx';
import { isOver } from './library/library-view.ts';
import { recordedBytes, recordedSeconds, recordingLabel } from './library/recorded.ts';
import { RecordingAddress, RecordingMenu } from './library/recording-actions.tsx';
import { type OpenRecordingDialog, RecordingDialogs } from './library/recording-dialogs.tsx';
import classes from './record.module.css';
import { recordingsQuery, recordKey, recordQuery } from './record-queries.ts';
import { RecordSettingsPanels } from './record-settings.tsx';
import { RewindPart } from './rewind/rewind-part.tsx';

/** Current recordings first, then finished ones, then the settings. */
export function RecordTab() {
  const { t } = useTranslation();
  const settings = useQuery(recordQuery);
  const files = useQuery(recordingsQuery);
  if (!settings.data && settings.failureCount === 0) return <PageSkeleton />;
  if (!settings.data) return <StaleChip {...settings} />;
  const recordings = files.data;
  const running = recordings?.filter(({ state }) => state === 'recording') ?? [];
  const isEmpty = recordings?.length === 0;
  const { all, storage } = settings.data;
  return (
    <>
      <PageHead
        title={t('record.tab')}
        state={
          <>
            <RecordPill isOn={all} running={running.length} storage={storage} />
            {running.length > 0 && files.failureCount === 0 && <DataAge updatedAtMs={files.dataUpdatedAt} />}
          </>
        }
        purpose={t('nav.purpose.record')}
        // The empty page has the same button below its drawing.
        action={(all || !isEmpty) && <RecordSwitch isOn={all} />}
        help={{ content: <RecordIntroduction />, panel: '0' }}
      />
      <div className={classes.page}>
        <StorageAlarm storage={storage} />
        <StaleChip {...(settings.failureCount > 0 ? settings : files)} />
        <RecordingDialogs recordings={recordings ?? []}>
          {(open) => (
            <>
              <RecordingNow settings={settings.data} running={running} onOpen={open} />
              <PagePart panel="4" title={t('record.task')} note={<LibraryNote recordings={recordings} />}>
                {recordings ? (
                  <Library
                    recordings={recordings}
                    onOpen={open}
                    start={
                      all ? (
                        <Button component={Link} to="?tab=live" variant="default">
                          {t('record.library.publish')}
                        </Button>
                      ) : (
                        <RecordSwitch isOn={false} />
                      )
                    }
                    isOn={all}
                  />
                ) : (
                  <PageSkeleton />
                )}
              </PagePart>
            </>
          )}
        </RecordingDialogs>
        <RewindPart />
        <RecordSettingsPanels settings={settings.data} />
      </div>
    </>
  );
}

interface RecordPillProps {
  isOn: boolean;
  running: number;
  storage: RecordStorage;
}

function RecordPill({ isOn, running, storage }: RecordPillProps) {
  const { t } = useTranslation();
  if (storage.state === 'stopped' || storage.state === 'failing') {
    return <StatePill tone="bad" word={t(`record.storage.state.${storage.state}`)} />;
  }
  if (running > 0) return <StatePill tone="recording" word={t('record.library.running', { count: running })} />;
  return <StatePill tone={isOn ? 'ok' : 'off'} word={isOn ? t('record.on') : t('record.off')} />;
}

function LibraryNote({ recordings }: { recordings: readonly Recording[] | undefined }) {
  const { t } = useTranslation();
  const done = recordings?.filter(isOver).length ?? 0;
  return done > 0 ? t('record.library.count', { count: done }) : null;
}

/** Starts and stops recording. The button shows the server's state, not the requested one. */
function RecordSwitch({ isOn }: { isOn: boolean }) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const apply = useMutation({
    mutationFn: (all: boolean) => client.call(recordApi.apply, { all }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: recordKey });
      notify.success(t('record.setupOk'));
    },
  });
  return (
    <Button
      variant={isOn ? 'default' : 'filled'}
      leftSection={!isOn && <IconPlayerRecord size={16} aria-hidden />}
      loading={apply.isPending}
      onClick={() => apply.mutate(!isOn)}
    >
      {isOn ? t('record.stop') : t('record.start')}
    </Button>
  );
}

const questions = ['what', 'how', 'end', 'full'] as const;

function RecordIntroduction() {
  const { t } = useTranslation();
  return (
    <Answers
      answers={questions.map((question) => [t(`record.intro.${question}`), t(`record.introText.${question}`)] as const)}
    />
  );
}

/** Announced at once, because a missed recording cannot be made up for. */
function StorageAlarm({ storage: { state, limit, since } }: { storage: RecordStorage }) {
  const { t } = useTranslation();
  return (
    <div role="alert" className={classes.alarm}>
      {state !== 'ok' && (
        <Notice tone={state === 'deleting' ? 'warn' : 'bad'} title={t(`record.alarm.${state}`)}>
          {limit !== '' && <p>{t(`record.alarmText.${limit}`)}</p>}
          {since !== '' && (
            <p>
              {t('record.alarmSince')} <Moment at={since} />
            </p>
          )}
          {limit !== 'directory' && (
            <Button component={Link} to={{ search: '?tab=record', hash: '#panel-5' }} variant="default" size="xs">
              {t('record.storage.open')}
            </Button>
          )}
        </Notice>
      )}
    </div>
  );
}

interface RecordingNowProps {
  settings: RecordSettings;
  running: readonly Recording[];
  onOpen: OpenRecordingDialog;
}

/** Recordings in progress; without any, what the switch would do or what recording waits for. */
function RecordingNow({ settings, running, onOpen }: RecordingNowProps) {
  const { t } = useTranslation();
  const { data } = useQuery(streamsQuery);
  const live = data && new Set(data.streams.map(streamLabel));
  if (running.length === 0) return <NothingRecorded settings={settings} streams={data?.streams ?? []} />;
  return (
    <PagePart panel="3" title={t('record.now')} note={t('record.tip')}>
      <FlowList
        label={t('record.now')}
        heads={[t('record.source'), t('record.status'), t('record.size'), t('record.play')]}
      >
        {running.map((recording) => (
          <RunningRow
            key={recording.uuid}
            recording={recording}
            isIdle={live !== undefined && !live.has(streamLabel(recording))}
            onOpen={onOpen}
          />
        ))}
      </FlowList>
    </PagePart>
  );
}

interface RunningRowProps {
  recording: Recording;
  /** The stream has stopped, so the recording is about to end. */
  isIdle: boolean;
  onOpen: OpenRecordingDialog;
}

function RunningRow({ recording, isIdle, onOpen }: RunningRowProps) {
  const { t } = useTranslation();
  const locale = useLocale();
  const { uuid, startedAt, duration, lost } = recording;
  const now = useNow(!isIdle);
  const name = recordingLabel(recording);
  // After the stream's end only what was recorded counts.
  const seconds = isIdle ? duration : recordedSeconds(recording, now);
  const started = new Date(startedAt);
  return (
    <FlowRow
      picture={<Thumbnail stream={recording} isLive={!isIdle} />}
      name={
        <>
          {isIdle ? streamLabel(recording) : <StreamLink stream={recording} />}
          {recording.quality !== '' && ` · ${recording.quality}`}
        </>
      }
      way={<RecordingAddress recording={recording} />}
      state={
        isIdle ? (
          <StatusLabel tone="busy" word={t('record.idle')} />
        ) : (
          <StatusLabel tone="recording" word={`${t('record.state.recording')} ${formatPosition(seconds)}`} />
        )
      }
      since={isIdle ? formatPosition(seconds) : t('record.since', { time: formatClock(started).slice(0, 5) })}
      bitrate={formatBytes(recordedBytes(recording), locale)}
      control={
        <ActionIcon
          variant="default"
          size={34}
          aria-label={t('record.playWhat', { name })}
          title={t('record.play')}
          onClick={() => onOpen({ what: 'play', uuid })}
        >
          <IconPlayerPlay size={16} aria-hidden />
        </ActionIcon>
      }
      menu={<RecordingMenu recording={recording} onOpen={onOpen} />}
    >
      {(isIdle || lost > 0) && (
        <Text size="sm" c="dimmed">
          {isIdle && t('record.idleText')} {lost > 0 && t('record.lost', { count: lost })}
        </Text>
      )}
    </FlowRow>
  );
}

/** Explains the switch and lists the live streams it affects. A recording is there once it has a segment. */
function NothingRecorded({ settings, streams }: { settings: RecordSettings; streams: readonly ActiveStream[] }) {
  const { t } = useTranslation();
  const { all, globs } = settings;
  const count = globs.length;
  const isOn = isRecordingOn(settings);
  const isAwaited = streams.some((stream) => count === 0 || matchingGlob(globs, globPath(stream)) !== undefined);
  return (
    <section id="panel-3" data-key="3" tabIndex={-1} aria-label={t('record.enable')} className={classes.waiting}>
      {isOn && <StatusLabel tone="busy" word={t(isAwaited ? 'record.one.waiting' : 'record.waiting')} />}
      <Text size="sm">
        {count === 0 ? t('record.enableAll') : t('record.enableSome', { count })}{' '}
        {all ? t('record.stopTip') : t('record.startTip')}
      </Text>
      {streams.length > 0 && <GlobMatches lines={globs} isInForce={isOn} />}
    </section>
  );
}
