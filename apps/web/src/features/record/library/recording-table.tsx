import { Checkbox, Progress, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Recording, RecordState } from '@weir/contract';
import { useTranslation } from 'react-i18next';
import { type Column, DataTable } from '../../../components/ui/facts/data-table.tsx';
import { Ago, Moment } from '../../../components/ui/facts/moment.tsx';
import { StatusLabel, type Tone } from '../../../components/ui/feedback/status-label.tsx';
import { IconPlayerPlay } from '../../../components/ui/theme/icons.ts';
import { formatBytes, formatClock, formatDuration } from '../../../lib/format.ts';
import { useLocale } from '../../../lib/i18n.ts';
import { UploadState } from '../bucket/upload-state.tsx';
import { IconMovie } from '../icons.ts';
import classes from '../record.module.css';
import { recordLinkQuery } from '../record-queries.ts';
import { isOver } from './library-view.ts';
import { recordedBytes, recordingLabel } from './recorded.ts';
import { RecordingActions, RecordingAddress } from './recording-actions.tsx';
import type { OpenRecordingDialog } from './recording-dialogs.tsx';

interface RecordingTableProps {
  recordings: readonly Recording[];
  picked: ReadonlySet<string>;
  onPick: (uuid: string, isPicked: boolean) => void;
  onOpen: OpenRecordingDialog;
}

export function RecordingTable(props: RecordingTableProps) {
  const { t } = useTranslation();
  const columns = useColumns(props);
  return (
    <div className={classes.table}>
      <DataTable
        label={t('record.task')}
        columns={columns}
        rows={props.recordings}
        keyOf={({ uuid }) => uuid}
        actionsTitle={t('record.action')}
        actions={(recording) => <RecordingActions recording={recording} onOpen={props.onOpen} />}
      />
    </div>
  );
}

function useColumns({ picked, onPick, onOpen }: RecordingTableProps): Column<Recording>[] {
  const { t } = useTranslation();
  const locale = useLocale();
  return [
    { title: '#', render: (_recording, index) => index + 1, isHiddenOnCards: true },
    {
      title: t('record.source'),
      isName: true,
      render: (recording) => (
        <div className={classes.name}>
          <Checkbox
            aria-label={t('record.library.pick', { name: recordingLabel(recording) })}
            checked={picked.has(recording.uuid) && isOver(recording)}
            disabled={!isOver(recording)}
            onChange={(event) => onPick(recording.uuid, event.currentTarget.checked)}
          />
          <RecordingThumbnail recording={recording} onPlay={() => onOpen({ what: 'play', uuid: recording.uuid })} />
          <Stack gap={2}>
            <button
              type="button"
              className={classes.title}
              onClick={() => onOpen({ what: 'details', uuid: recording.uuid })}
            >
              {recordingLabel(recording)}
            </button>
            <Text size="xs" c="dimmed" component="span">
              <Moment at={recording.startedAt} />
            </Text>
          </Stack>
        </div>
      ),
    },
    {
      title: t('record.status'),
      render: (recording) => <RecordingState recording={recording} />,
    },
    {
      title: t('record.duration'),
      render: ({ duration, nn }) => (
        <Stack gap={2}>
          <Figure text={formatDuration(duration, locale)} />
          <Text size="xs" c="dimmed" component="span" className={classes.figure}>
            {t('record.slices', { count: nn })}
          </Text>
        </Stack>
      ),
    },
    { title: t('record.size'), render: (recording) => <Figure text={formatBytes(recordedBytes(recording), locale)} /> },
    { title: t('record.update'), render: ({ update }) => <Ago at={update} /> },
    { title: t('record.url'), render: (recording) => <RecordingAddress recording={recording} /> },
  ];
}

function Figure({ text }: { text: string }) {
  return <span className={classes.figure}>{text}</span>;
}

const tones: Record<RecordState, Tone> = {
  recording: 'recording',
  finishing: 'busy',
  copying: 'busy',
  done: 'done',
  failed: 'bad',
};

function RecordingState({ recording }: { recording: Recording }) {
  const { t } = useTranslation();
  const { state, percent, failure, error, nextTry, lost } = recording;
  const word = t(`record.state.${state}`);
  const notes = [
    ...(failure === '' ? [] : [t(`record.failure.${failure}`), error]),
    ...(nextTry === '' ? [] : [t('record.nextTry', { time: formatClock(new Date(nextTry)) })]),
    ...(lost === 0 ? [] : [t('record.lost', { count: lost })]),
  ].filter((note) => note !== '');
  return (
    <Stack gap={4} className={classes.state}>
      <StatusLabel tone={tones[state]} word={percent === null ? word : `${word} ${Math.round(percent)} %`} />
      {percent !== null && <Progress value={percent} size="xs" aria-label={word} />}
      {recording.upload && <UploadState upload={recording.upload} />}
      {notes.map((note) => (
        <Text key={note} size="xs" c="dimmed" className={classes.note}>
          {note}
        </Text>
      ))}
    </Stack>
  );
}

function RecordingThumbnail({ recording, onPlay }: { recording: Recording; onPlay: () => void }) {
  const { data: link } = useQuery({ ...recordLinkQuery(recording.uuid), enabled: recording.thumbnail });
  return (
    <button
      type="button"
      className={classes.thumbnail}
      // Only for pointers: the play button in the actions has a label and a tab stop.
      tabIndex={-1}
      aria-hidden
      onClick={onPlay}
    >
      {recording.thumbnail && link ? (
        <img src={link.thumbnail} alt="" loading="lazy" />
      ) : (
        <IconMovie size={24} aria-hidden />
      )}
      <span className={classes.playMark}>
        <IconPlayerPlay size={20} aria-hidden />
      </span>
    </button>
  );
}
