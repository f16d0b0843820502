import { Button, Group, Text } from '@mantine/core';
import type { UploadBacklog } from '@weir/contract';
import { useTranslation } from 'react-i18next';
import { formatBytes, formatClock, formatDateTime } from '../lib/format.ts';
import { useLocale } from '../lib/i18n.ts';
import { Notice } from './ui/feedback/notice.tsx';

interface BacklogNoticeProps {
  backlog: UploadBacklog;
  /** Retries at once. */
  onRetry?: () => void;
}

/** Files waiting for upload to the cloud, and the reason. Hidden while none wait and none were lost. */
export function BacklogNotice({ backlog, onRetry }: BacklogNoticeProps) {
  const { t } = useTranslation();
  const locale = useLocale();
  const { files, bytes, since, failure, error, nextTry, lost } = backlog;
  if (files === 0 && lost === 0) return null;
  const tone = lost > 0 ? 'bad' : failure === '' ? 'info' : 'warn';
  const size = formatBytes(bytes, locale);
  return (
    <div role="status">
      <Notice
        tone={tone}
        title={files === 0 ? t('cloud.backlog.none') : t('cloud.backlog.waiting', { count: files, size })}
      >
        {since !== '' && <Text size="sm">{t('cloud.backlog.since', { time: formatDateTime(new Date(since)) })}</Text>}
        {failure !== '' && (
          <Text size="sm">
            {t(`cloud.failure.${failure}`)}{' '}
            {nextTry !== '' && t('cloud.nextTry', { time: formatClock(new Date(nextTry)) })}
          </Text>
        )}
        {failure !== '' && (
          <Text size="xs" c="dimmed">
            {error}
          </Text>
        )}
        {lost > 0 && <Text size="sm">{t('cloud.backlog.lost', { count: lost })}</Text>}
        {failure !== '' && onRetry && (
          <Group mt="xs">
            <Button variant="default" size="xs" onClick={onRetry}>
              {t('cloud.backlog.retry')}
            </Button>
          </Group>
        )}
      </Notice>
    </div>
  );
}
