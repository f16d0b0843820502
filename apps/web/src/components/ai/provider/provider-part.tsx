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
  /** Shows provider problems; true if there are none. Without it no test is offered. */
  onCheck?: (() => boolean) | undefined;
  /** Reason why no AI could answer with the settings just sent. */
  refusal?: AiCause | undefined;
}

/** Provider choice of a feature, its privacy note and a connection test. */
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

/** Tests the form's provider, saved or not, with the call that the specification defines for these forms. */
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
