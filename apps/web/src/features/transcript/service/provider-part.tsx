import { Button, Group, Stack } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { AiReason } from '../../../components/ai/ai-reason.tsx';
import { ProviderChoice } from '../../../components/ai/provider-choice.tsx';
import { useProviderCheck } from '../../../components/ai/use-provider-check.ts';
import { AnswererLine } from '../../../components/ai-task/answerer-line.tsx';
import { Outcome } from '../../../components/ui/feedback/outcome.tsx';
import { hasOwnProvider } from './transcript-draft.ts';
import type { TranscriptForm } from './use-transcript-form.ts';

/** Who recognises speech, and what leaves this server for it. */
export function ProviderPart({ form }: { form: TranscriptForm }) {
  const { t } = useTranslation();
  const { draft, problem, refusal } = form;
  const check = useProviderCheck();
  const tryOut = () => {
    if (form.checkProvider() && !check.isPending) check.mutate(draft);
  };
  const host = hasOwnProvider(draft) && URL.canParse(draft.baseURL) ? new URL(draft.baseURL).host : '';
  return (
    <Stack gap="md" maw={560}>
      <ProviderChoice
        value={draft}
        problem={problem?.tab === 'provider' ? problem.provider : undefined}
        need="transcribe"
        language={draft.lang}
        onEdit={(change) => {
          form.edit(change);
          check.reset();
        }}
      />
      {hasOwnProvider(draft) && (
        <Group gap="sm">
          <Button variant="default" loading={check.isPending} onClick={tryOut}>
            {t('llm.test')}
          </Button>
          <Outcome outcome={check.outcome} />
        </Group>
      )}
      {host !== '' && <AnswererLine kind="transcript" answerer={{ by: 'provider', host, cause: null }} />}
      {refusal && <AiReason cause={refusal} tone="bad" />}
    </Stack>
  );
}
