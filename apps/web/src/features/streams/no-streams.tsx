import { Stack } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { CopyField } from '../../components/ui/copy-field.tsx';
import { EmptyState } from '../../components/ui/empty-state.tsx';
import { useStreamAddresses } from './use-stream-addresses.ts';

/** Nothing is live: how to change that. */
export function NoStreams() {
  const { t } = useTranslation();
  const addresses = useStreamAddresses();
  return (
    <EmptyState title={t('settings.noStreams')} text={t('settings.noStreamsText')}>
      {addresses && (
        <Stack gap="sm">
          <CopyField label={t('settings.publishServer')} value={addresses.rtmpServer} />
          <CopyField label={t('settings.publishKey')} value={addresses.rtmpStreamKey} isSecret />
        </Stack>
      )}
    </EmptyState>
  );
}
