import { Anchor, Stack } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { paths, useLocalPath } from '../../lib/paths.ts';
import { EmptyState } from '../ui/feedback/empty-state.tsx';
import { CopyField } from '../ui/fields/copy-field.tsx';
import { useStreamAddresses } from './use-stream-addresses.ts';

/** Empty state with a link to the guide. */
export function NoStreams() {
  const { t } = useTranslation();
  const localPath = useLocalPath();
  const addresses = useStreamAddresses();
  return (
    <EmptyState title={t('settings.noStreams')} text={t('settings.noStreamsText')}>
      {addresses && (
        <Stack gap="sm">
          <CopyField label={t('settings.publishServer')} value={addresses.rtmpServer} />
          <CopyField label={t('settings.publishKey')} value={addresses.rtmpStreamKey} isSecret />
          <Anchor component={Link} to={localPath(`${paths.scenario}?tab=live`)} size="sm">
            {t('settings.publishGuide')}
          </Anchor>
        </Stack>
      )}
    </EmptyState>
  );
}
