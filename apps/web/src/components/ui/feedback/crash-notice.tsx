import { Button, Group, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { CodeMissingError } from '../../../lib/lazy.ts';
import { Section } from '../layout/section.tsx';
import { ErrorDetails } from './error-details.tsx';

/** Shown instead of a page that failed to render. */
export function CrashNotice({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const { t } = useTranslation();
  return (
    <Section title={t('errs.crashTitle')}>
      <Text size="sm" mb="md">
        {t('errs.crashText')}
      </Text>
      <ErrorDetails error={error} />
      <Group mt="md" gap="xs">
        {!(error instanceof CodeMissingError) && <Button onClick={onRetry}>{t('errs.retry')}</Button>}
        <Button variant="default" onClick={() => window.location.reload()}>
          {t('errs.reload')}
        </Button>
      </Group>
    </Section>
  );
}
