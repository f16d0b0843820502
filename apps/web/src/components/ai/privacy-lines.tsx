import { Text } from '@mantine/core';
import type { AiAnswerer, AiCapability } from '@weir/contract';
import { useTranslation } from 'react-i18next';
import { FactList } from '../ui/facts/fact-list.tsx';

interface PrivacyLinesProps {
  needs: readonly AiCapability[];
  answerers: Readonly<Record<AiCapability, AiAnswerer>>;
}

/** Data that leaves this server, in one line if all capabilities use the same AI. */
export function PrivacyLines({ needs, answerers }: PrivacyLinesProps) {
  const { t } = useTranslation();
  const [first, ...others] = needs.map((need) => answerers[need]);
  if (first && others.every(({ by, host, cause }) => by === first.by && host === first.host && cause === first.cause))
    return <PrivacyLine answerer={first} />;
  return (
    <FactList
      facts={needs.map((need) => ({ term: t(`llm.need.${need}`), value: <PrivacyLine answerer={answerers[need]} /> }))}
    />
  );
}

/** Data that leaves this server, and its destination. */
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
