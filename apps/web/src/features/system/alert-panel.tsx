import { Text } from '@mantine/core';
import type { Alert } from '@weir/contract';
import { useTranslation } from 'react-i18next';
import { Section } from '../../components/ui/section.tsx';
import { StatusLabel } from '../../components/ui/status-label.tsx';
import { formatDateTime } from '../../lib/format.ts';
import classes from './overview-tab.module.css';

const texts = {
  guessing: { word: 'overview.guessing', text: 'overview.guessingText' },
  certificate: { word: 'overview.certEnding', text: 'overview.certEndingText' },
  'record-storage': { word: 'overview.recordStorage', text: 'overview.recordStorageText' },
} as const satisfies Record<Alert['kind'], unknown>;

export function AlertPanel({ alerts }: { alerts: readonly Alert[] }) {
  const { t } = useTranslation();
  return (
    <Section anchor="alerts" title={t('overview.alerts')}>
      {alerts.length === 0 ? (
        <Text size="sm" c="dimmed">
          {t('overview.noAlerts')}
        </Text>
      ) : (
        <ul className={classes.addresses}>
          {alerts.map((alert) => (
            <li key={alert.kind} className={classes.address}>
              <div>
                <StatusLabel tone="warn" word={t(texts[alert.kind].word)} />
                <Text size="sm" mt={4}>
                  {t(texts[alert.kind].text, {
                    number: alert.count,
                    time: formatDateTime(new Date(alert.since)),
                  })}
                </Text>
              </div>
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}
