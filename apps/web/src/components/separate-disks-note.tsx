import { type MantineSpacing, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { statusQuery } from '../lib/queries/system-queries.ts';

/** Shown on lists that cover only the times when this server was the leader of the pair. */
export function SeparateDisksNote({ mb = 0 }: { mb?: MantineSpacing }) {
  const { t } = useTranslation();
  const { data: status } = useQuery(statusQuery);
  if (status?.pair?.filesShared !== false) return null;
  return (
    <Text size="sm" c="dimmed" maw={760} mb={mb}>
      {t('overview.pair.ownDisk')}
    </Text>
  );
}
