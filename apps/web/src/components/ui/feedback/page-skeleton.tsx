import { Skeleton, Stack } from '@mantine/core';
import { useTranslation } from 'react-i18next';

/** Placeholder while code or data loads. */
export function PageSkeleton() {
  const { t } = useTranslation();
  return (
    <Stack gap="md" role="status" aria-label={t('shell.loading')}>
      <Skeleton height={120} radius="md" />
      <Skeleton height={220} radius="md" />
    </Stack>
  );
}
