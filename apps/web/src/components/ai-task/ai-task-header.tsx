import { Stack, Text } from '@mantine/core';
import type { AiAnswerer } from '@weir/contract';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { AiReason, AiSettingsLink } from '../ai/ai-reason.tsx';
import { EmptyState } from '../ui/feedback/empty-state.tsx';
import { Section } from '../ui/layout/section.tsx';
import type { AiTaskKind } from './use-ai-task-form.ts';

interface AiTaskHeaderProps {
  kind: AiTaskKind;
  /** True if it is off and no segments of an earlier run are left. */
  isUnused: boolean;
  provider: AiAnswerer;
  /** Current activity and problems. */
  news: ReactNode;
  /** Results of the segments. */
  children?: ReactNode;
}

/** AI provider of the task, problems, and the setup link if nothing is configured. */
export function AiTaskHeader({ kind, isUnused, provider, news, children }: AiTaskHeaderProps) {
  const { t } = useTranslation();
  const isUnprepared = isUnused && provider.by === 'nobody';
  return (
    <Section title={t(`${kind}.head.title`)}>
      <Stack gap="md">
        {isUnprepared ? (
          <EmptyState title={t(`${kind}.head.unused`)} text={t(`${kind}.head.unusedText`)}>
            <AiSettingsLink />
          </EmptyState>
        ) : (
          <AnswererNote kind={kind} answerer={provider} />
        )}
        {news}
        {isUnused && !isUnprepared && (
          <Text size="sm" c="dimmed">
            {t(`${kind}.head.offText`)}
          </Text>
        )}
        {!isUnused && children}
      </Stack>
    </Section>
  );
}

/** Names the AI provider and the data that leaves this server. */
function AnswererNote({ kind, answerer }: { kind: AiTaskKind; answerer: AiAnswerer }) {
  const { t } = useTranslation();
  const { by, host, cause } = answerer;
  if (by === 'nobody') return <AiReason cause={cause ?? 'no-provider'} tone="warn" />;
  return <Text size="sm">{by === 'provider' ? t(`${kind}.by.provider`, { host }) : t(`${kind}.by.builtIn`)}</Text>;
}
