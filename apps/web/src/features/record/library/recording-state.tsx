import { Progress, Stack, Text } from '@mantine/core';
import type { Recording, RecordState } from '@weir/contract';
import { useTranslation } from 'react-i18next';
import { StatusLabel, type Tone } from '../../../components/ui/feedback/status-label.tsx';
import { formatClock } from '../../../lib/format.ts';
import { UploadState } from '../bucket/upload-state.tsx';
import classes from '../record.module.css';

const tones: Record<RecordState, Tone> = {
  recording: 'recording',
  finishing: 'busy',
  copying: 'busy',
  done: 'done',
  failed: 'bad',
};

/** Where a recording stands, how far its file is, and what is wrong with it. */
export function RecordingState({ recording, isIdle }: { recording: Recording; isIdle: boolean }) {
  const { t } = useTranslation();
  const { state, percent, failure, error, nextTry, lost } = recording;
  const word = isIdle ? t('record.idle') : t(`record.state.${state}`);
  const notes = [
    ...(isIdle ? [t('record.idleText')] : []),
    ...(failure === '' ? [] : [t(`record.failure.${failure}`), error]),
    ...(nextTry === '' ? [] : [t('record.nextTry', { time: formatClock(new Date(nextTry)) })]),
    ...(lost === 0 ? [] : [t('record.lost', { count: lost })]),
  ].filter((note) => note !== '');
  return (
    <Stack gap={4} className={classes.state}>
      <StatusLabel
        tone={isIdle ? 'busy' : tones[state]}
        word={percent === null ? word : `${word} ${Math.round(percent)} %`}
      />
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
