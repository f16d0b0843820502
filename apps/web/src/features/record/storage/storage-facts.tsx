import { Progress, Text } from '@mantine/core';
import type { RecordStorage } from '@weir/contract';
import { useTranslation } from 'react-i18next';
import { formatBytes } from '../../../lib/format.ts';
import { useLocale } from '../../../lib/i18n.ts';
import classes from '../record.module.css';

/** What recordings take, what is left, and for how long that will do. */
export function StorageFacts({ storage }: { storage: RecordStorage }) {
  const { t } = useTranslation();
  const locale = useLocale();
  const { usedBytes, freeBytes, totalBytes, bytesPerDay, deleted } = storage;
  const size = (bytes: number) => formatBytes(bytes, locale);
  const percent = (bytes: number) => (totalBytes > 0 ? (Math.max(0, bytes) / totalBytes) * 100 : 0);
  const lines = [
    ...(bytesPerDay > 0 ? [t('record.storage.pace', { size: size(bytesPerDay) })] : []),
    ...(deleted > 0 ? [t('record.storage.deleted', { count: deleted })] : []),
  ];
  return (
    <div className={classes.room}>
      <p className={classes.forecast}>{useForecast(storage)}</p>
      <Progress.Root size="lg">
        <Progress.Section value={percent(usedBytes)} color="water" aria-label={t('record.storage.used')} />
        <Progress.Section
          value={percent(totalBytes - freeBytes - usedBytes)}
          color="gray.5"
          aria-label={t('record.storage.other')}
        />
      </Progress.Root>
      <Text size="sm" c="dimmed">
        {[
          t('record.storage.usedOf', { used: size(usedBytes), free: size(freeBytes), total: size(totalBytes) }),
          ...lines,
        ].join(' ')}
      </Text>
    </div>
  );
}

function useForecast({ fullInDays }: RecordStorage): string {
  const { t } = useTranslation();
  if (fullInDays === null) return t('record.storage.enough');
  return fullInDays < 1 ? t('record.storage.fullToday') : t('record.storage.fullIn', { count: Math.floor(fullInDays) });
}
