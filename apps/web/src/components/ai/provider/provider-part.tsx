import { Button, Group, Stack } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type AiCause, llmApi } from '@weir/contract';
import { useTranslation } from 'react-i18next';
import { client } from '../../../lib/api.ts';
import { Outcome, type OutcomeFacts } from '../../ui/feedback/outcome.tsx';
import { AiReason } from '../ai-reason.tsx';
import { isRefusal, useRefusal } from '../use-refusal.ts';
import { ProviderChoice, type ProviderChoiceProps } from './provider-choice.tsx';
import { hasOwnProvider, type ProviderFacts } from './provider-problem.ts';

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

/** Asks the provider of a feature with what its form holds, saved or not: by the call that all such forms of the specification have. */
function useProviderCheck() {
  const { t } = useTranslation();
  const check = useMutation({
    mutationFn: ({ secretKey, baseURL }: ProviderFacts) => client.call(llmApi.check, { secretKey, baseURL }),
    meta: { handles: isRefusal },
  });
  const refusal = useRefusal();
  const outcome: OutcomeFacts | undefined = check.isSuccess
    ? { isGood: true, text: t('transcript.testOk') }
    : refusal(check.error);
  return { ...check, outcome };
}
