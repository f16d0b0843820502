import { Button, Group, Progress, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Notice } from '../../ui/feedback/notice.tsx';
import { StatusLabel } from '../../ui/feedback/status-label.tsx';
import { toPercent } from '../percent.ts';
import classes from '../sources.module.css';
import type { UploadView } from './upload-session.ts';

interface UploadProgressProps {
  view: UploadView;
  onPause: () => void;
  onResume: () => void;
  onCancel: () => void;
}

/** How far it is: speed, percent, seconds, and the total. */
export function UploadProgress({ view, onPause, onResume, onCancel }: UploadProgressProps) {
  const { t } = useTranslation();
  const { phase, name, totalBytes, sentBytes, elapsedMs, bitsPerSecond, message } = view;
  const percent = toPercent(sentBytes, totalBytes);
  const megabytes = (bytes: number) => `${(bytes / 1_000_000).toFixed(1)} MB`;
  const isRunning = phase === 'sending' || phase === 'retrying';
  return (
    <div className={classes.job}>
      <Group justify="space-between" gap="xs" wrap="nowrap">
        <Text size="sm" fw={500} className={classes.name}>
          {name}
        </Text>
        <StatusLabel tone={tones[phase]} word={t(`source.upload.${phase}`)} />
      </Group>
      <Progress value={percent} aria-label={t('source.progressOf', { name })} />
      <Text size="sm" c="dimmed">
        {[
          `${percent}%`,
          `${megabytes(sentBytes)} / ${megabytes(totalBytes)}`,
          isRunning && `${(bitsPerSecond / 1_000_000).toFixed(2)} Mbps`,
          isRunning && `${Math.floor(elapsedMs / 1000)} s`,
        ]
          .filter(Boolean)
          .join(' · ')}
      </Text>
      {phase === 'failed' && (
        <Notice tone="bad" title={t('source.uploadFailed')}>
          <p role="alert">{message}</p>
        </Notice>
      )}
      <Group gap="xs">
        {isRunning ? (
          <Button size="compact-sm" variant="default" onClick={onPause}>
            {t('source.pause')}
          </Button>
        ) : (
          <Button size="compact-sm" onClick={onResume}>
            {t('source.resume')}
          </Button>
        )}
        <Button size="compact-sm" variant="default" onClick={onCancel}>
          {t('helper.cancel')}
        </Button>
      </Group>
    </div>
  );
}

const tones = { idle: 'off', sending: 'busy', retrying: 'warn', paused: 'off', failed: 'bad' } as const;
