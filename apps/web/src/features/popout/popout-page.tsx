import { Stack, Text, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';

/** Windows without the shell. The address names the app that fills the window. */
export function PopoutPage() {
  const { t } = useTranslation();
  const [query] = useSearchParams();
  const app = query.get('app');
  return (
    <Stack gap={4}>
      <Title order={1}>{app ? t('popout.invalidApp', { app }) : t('popout.noApp')}</Title>
      <Text c="dimmed">{app ? t('popout.invalidAppText') : t('popout.noAppText')}</Text>
    </Stack>
  );
}
