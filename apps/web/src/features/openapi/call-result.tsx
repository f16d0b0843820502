import { Group, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { StatusLabel } from '../../components/ui/feedback/status-label.tsx';
import classes from './openapi.module.css';
import type { CallOutcome } from './use-try-out.ts';

export function CallResult({ outcome: { status, tookMs, text } }: { outcome: CallOutcome }) {
  const { t } = useTranslation();
  const isGood = status !== undefined && status < 300;
  return (
    <Stack gap="xs" mt="md" role="status" aria-label={t('openapi.response')}>
      <Group gap="sm">
        <StatusLabel
          tone={isGood ? 'ok' : 'bad'}
          word={status === undefined ? t('openapi.noAnswer') : t('openapi.status', { status })}
          tinted
        />
        <Text size="sm" c="dimmed">
          {t('openapi.took', { ms: tookMs })}
        </Text>
      </Group>
      {/* Long answers scroll; without a place in the tab order the keyboard could not. */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrolled by the keyboard */}
      <pre className={classes.answer} tabIndex={0}>
        {text}
      </pre>
    </Stack>
  );
}
