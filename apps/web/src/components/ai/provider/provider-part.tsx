import { Button, Group, Stack } from '@mantine/core';
import type { AiCause } from '@weir/contract';
import { useTranslation } from 'react-i18next';
import { Outcome } from '../../ui/feedback/outcome.tsx';
import { AiReason } from '../ai-reason.tsx';
import { ProviderChoice, type ProviderChoiceProps } from './provider-choice.tsx';
import { hasOwnProvider } from './provider-problem.ts';
import { useProviderCheck } from './use-provider-check.ts';

interface ProviderPartProps extends ProviderChoiceProps {
  /** Shows what is wrong with the provider, and says whether nothing is. Without it there is no test. */
  onCheck?: (() => boolean) | undefined;
  /** Why nobody would answer with what was just sent. */
  refusal?: AiCause | undefined;
}

/** Who answers a feature, what leaves this server for it, and a test of a provider of its own. */
export function ProviderPart({ onCheck, refusal, ...choice }: ProviderPartProps) {
  const { t } = useTranslation();
  const check = useProviderCheck();
  const tryOut = () => {
    if (onCheck?.() && !check.isPending) check.mutate(choice.value);
  };
  return (
    <Stack gap="md" maw={560}>
      <ProviderChoice
        {...choice}
        onEdit={(change) => {
          choice.onEdit(change);
          check.reset();
        }}
      />
      {onCheck && hasOwnProvider(choice.value) && (
        <Group gap="sm">
          <Button variant="default" loading={check.isPending} onClick={tryOut}>
            {t('llm.test')}
          </Button>
          <Outcome outcome={check.outcome} />
        </Group>
      )}
      {refusal && <AiReason cause={refusal} tone="bad" />}
    </Stack>
  );
}
