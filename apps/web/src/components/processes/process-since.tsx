import { Text } from '@mantine/core';
import type { ProcessReport } from '@weir/contract';
import { useTranslation } from 'react-i18next';
import { formatDateTime, formatDuration, zoneName } from '../../lib/format.ts';
import { useLocale } from '../../lib/i18n.ts';
import { useNow } from './use-now.ts';

/** Time in the current state, with the exact time on hover; nothing for "off". */
export function ProcessSince({ report: { state, since } }: { report: ProcessReport }) {
  const { t } = useTranslation();
  const locale = useLocale();
  const isTold = since !== '' && state !== 'off';
  const now = useNow(isTold);
  if (!isTold) return null;
  const at = new Date(since);
  const duration = formatDuration(Math.max(0, now - at.getTime()) / 1000, locale);
  return (
    <Text size="sm" c="dimmed" component="time" dateTime={since} title={`${formatDateTime(at)} ${zoneName()}`}>
      {t('process.for', { duration })}
    </Text>
  );
}
