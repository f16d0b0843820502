import { ActionIcon, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ActiveStream, globPath, matchingGlob, type Recording, type RecordSettings } from '@weir/contract';
import { streamLabel } from '@weir/streams';
import { useTranslation } from 'react-i18next';
import { useNow } from '../../components/processes/use-now.ts';
import { StreamLink } from '../../components/streams/stream-link.tsx';
import { streamsQuery } from '../../components/streams/streams-queries.ts';
import { Thumbnail } from '../../components/streams/thumbnail.tsx';
import { StatusLabel } from '../../components/ui/feedback/status-label.tsx';
import { FlowList, FlowRow } from '../../components/ui/layout/flow-row.tsx';
import { PagePart } from '../../components/ui/layout/page-part.tsx';
import { IconPlayerPlay } from '../../components/ui/theme/icons.ts';
import { formatBytes, formatClock, formatPosition } from '../../lib/format.ts';
import { useLocale } from '../../lib/i18n.ts';
import { GlobMatches, isRecordingOn } from './globs-form.tsx';
import { recordedBytes, recordedSeconds } from './library/recorded.ts';
import { RecordingAddress, RecordingMenu } from './library/recording-actions.tsx';
import type { OpenRecordingDialog } from './library/recording-dialogs.tsx';
import classes from './record.module.css';

interface RecordingNowProps {
  settings: RecordSettings;
  running: readonly Recording[];
  onOpen: OpenRecordingDialog;
}

/** Recordings in progress; without any, what the switch would do or what recording waits for. */
export function RecordingNow({ settings, running, onOpen }: RecordingNowProps) {
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
  const name = streamLabel(recording);
  // After the stream's end only what was recorded counts.
  const seconds = isIdle ? duration : recordedSeconds(recording, now);
  const started = new Date(startedAt);
  return (
    <FlowRow
      picture={<Thumbnail stream={recording} isLive={!isIdle} />}
      name={isIdle ? name : <StreamLink stream={recording} />}
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
