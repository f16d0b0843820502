import { Text } from '@mantine/core';
import type { AiAnswerer } from '@weir/contract';
import { useTranslation } from 'react-i18next';
import { AiReason } from '../../../components/ai/ai-reason.tsx';

/** Who recognises speech, and what leaves this server for it. */
export function AnswererLine({ answerer }: { answerer: AiAnswerer }) {
  const { t } = useTranslation();
  const { by, host, cause } = answerer;
  if (by === 'nobody') return <AiReason cause={cause ?? 'no-provider'} tone="warn" />;
  return (
    <Text size="sm">{by === 'provider' ? t('transcript.by.provider', { host }) : t('transcript.by.builtIn')}</Text>
  );
}
