import { Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { CopyField } from '../../components/ui/copy-field.tsx';
import { EmptyState } from '../../components/ui/empty-state.tsx';
import { readStreamName } from '../../lib/storage.ts';
import { publishAuthQuery } from '../publish-auth/publish-auth-queries.ts';
import { environmentQuery } from '../system/system-queries.ts';
import { rtmpServer, rtmpStreamKey } from './publish-address.ts';

/** Nothing is live: how to change that. */
export function NoStreams() {
  const { t } = useTranslation();
  const { data: environment } = useQuery(environmentQuery);
  const { data: auth } = useQuery(publishAuthQuery);
  return (
    <EmptyState title={t('settings.noStreams')} text={t('settings.noStreamsText')}>
      {environment && auth && (
        <Stack gap="sm">
          <CopyField
            label={t('settings.publishServer')}
            value={rtmpServer(window.location.hostname, environment.rtmpPort)}
          />
          <CopyField label={t('settings.publishKey')} value={rtmpStreamKey(readStreamName(), auth.publish)} isSecret />
        </Stack>
      )}
    </EmptyState>
  );
}
