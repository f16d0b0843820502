import { Progress, Stack, Text } from '@mantine/core';
import type { RecordingUpload } from '@weir/contract';
import { useTranslation } from 'react-i18next';
import { StatusLabel, type Tone } from '../../../components/ui/feedback/status-label.tsx';
import { formatClock } from '../../../lib/format.ts';
import classes from './bucket.module.css';

const tones: Record<RecordingUpload['state'], Tone> = { waiting: 'busy', uploading: 'busy', done: 'ok', failed: 'bad' };

/** Upload progress of a recording, below its own state. */
export function UploadState({ upload }: { upload: RecordingUpload }) {
  const { t } = useTranslation();
  const { state, percent, failure, error, nextTry, bucket, key } = upload;
  const word = t(`cloud.upload.${state}`);
  return (
    <Stack gap={4}>
      <StatusLabel
        tone={state === 'waiting' && failure !== '' ? 'warn' : tones[state]}
        word={state === 'uploading' && percent > 0 ? `${word} ${percent} %` : word}
      />
      {state === 'uploading' && percent > 0 && <Progress value={percent} size="xs" aria-label={word} />}
      {state === 'done' && (
        <Text size="xs" c="dimmed" className={classes.key}>
          {bucket}/{key}
        </Text>
      )}
      {failure !== '' && (
        <Text size="xs" c="dimmed" className={classes.key} title={error}>
          {t(`cloud.failure.${failure}`)}{' '}
          {nextTry !== '' && t('cloud.nextTry', { time: formatClock(new Date(nextTry)) })}
        </Text>
      )}
    </Stack>
  );
}
