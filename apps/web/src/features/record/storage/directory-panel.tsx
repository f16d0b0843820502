import { Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { CopyField } from '../../../components/ui/fields/copy-field.tsx';

/** Where recordings are, and how to put them on another disk. */
export function DirectoryPanel({ home }: { home: string }) {
  const { t } = useTranslation();
  return (
    <Stack gap="md" maw={760}>
      <CopyField label={t('record.dirPath')} value={home} />
      <div>
        <Text size="sm" fw={600}>
          {t('record.dirMove')}
        </Text>
        <Text size="sm">{t('record.dirMoveText', { home })}</Text>
      </div>
    </Stack>
  );
}
