import { Progress, Stack, Text } from '@mantine/core';
import type { LocalAi } from '@weir/contract';
import { useTranslation } from 'react-i18next';
import { formatBytes } from '../../lib/format.ts';
import { useLocale } from '../../lib/i18n.ts';

/** How far an installation is. */
export function LocalProgress({ progress }: { progress: LocalAi['progress'] }) {
  const { t } = useTranslation();
  const locale = useLocale();
  const { file = '', step = 'fetch', doneBytes = 0, totalBytes = 0 } = progress ?? {};
  const percent = totalBytes > 0 ? Math.min(100, Math.floor((doneBytes / totalBytes) * 100)) : 0;
  return (
    <Stack gap="xs">
      <Text size="sm" fw={500}>
        {file === '' ? t('llm.local.installing') : t(`llm.local.progress.${step}`, { file })}
      </Text>
      <Progress value={percent} animated={step === 'unpack'} aria-label={t('llm.local.installing')} />
      <Text size="sm" c="dimmed">
        {t('llm.local.downloaded', {
          percent,
          done: formatBytes(doneBytes, locale),
          all: formatBytes(totalBytes, locale),
        })}
      </Text>
    </Stack>
  );
}
