import { Text } from '@mantine/core';
import type { Broadcast } from '@weir/contract';
import { useTranslation } from 'react-i18next';
import { formatDuration } from '../../lib/format.ts';
import { useLocale } from '../../lib/i18n.ts';
import { VerdictLabel } from '../diagnosis/verdict-label.tsx';
import { Moment } from '../ui/facts/moment.tsx';

/** A broadcast in one line. */
export function BroadcastFacts({ broadcast }: { broadcast: Broadcast }) {
  const { t } = useTranslation();
  const locale = useLocale();
  const { beganAt, endedAt, seconds, verdict, peakViewers } = broadcast;
  return (
    <div>
      <VerdictLabel verdict={verdict} />
      <Text size="sm" c="dimmed">
        <Moment at={beganAt} /> · {endedAt === '' ? t('timeline.live') : formatDuration(seconds, locale)} ·{' '}
        {t('timeline.peak', { number: peakViewers })}
      </Text>
    </div>
  );
}
