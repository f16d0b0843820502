import { Text } from '@mantine/core';
import type { AiAnswerer } from '@weir/contract';
import { useTranslation } from 'react-i18next';

/** What leaves this server, and where it goes. */
export function PrivacyLine({ answerer }: { answerer: AiAnswerer }) {
  const { t } = useTranslation();
  const { by, host, cause } = answerer;
  const reason = t(`ai.why.${cause ?? 'no-provider'}`);
  const text = {
    provider: t('llm.privacy.sent', { host }),
    'built-in': t('llm.privacy.stays'),
    nobody: t('llm.privacy.nobody', { reason }),
  }[by];
  return (
    <Text span size="sm" {...(by === 'nobody' && { c: 'dimmed' })}>
      {text}
    </Text>
  );
}
