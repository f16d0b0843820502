import { Text } from '@mantine/core';
import type { AiAnswerer } from '@weir/contract';
import { useTranslation } from 'react-i18next';
import { AiReason } from '../ai/ai-reason.tsx';
import type { AiTaskKind } from './kind.ts';

/** Who does the work, and what leaves this server for it. */
export function AnswererNote({ kind, answerer }: { kind: AiTaskKind; answerer: AiAnswerer }) {
  const { t } = useTranslation();
  const { by, host, cause } = answerer;
  if (by === 'nobody') return <AiReason cause={cause ?? 'no-provider'} tone="warn" />;
  return <Text size="sm">{by === 'provider' ? t(`${kind}.by.provider`, { host }) : t(`${kind}.by.builtIn`)}</Text>;
}
