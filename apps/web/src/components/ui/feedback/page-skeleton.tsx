import { Skeleton, Stack } from '@mantine/core';
import { useTranslation } from 'react-i18next';

/** The shape of a page while its code or its data is on the way. */
export function PageSkeleton() {
  const { t } = useTranslation();
  return (
    <Stack gap="md" role="status" aria-label={t('shell.loading')}>
      <Skeleton height={120} radius="md" />
      <Skeleton height={220} radius="md" />
    </Stack>
  );
}
