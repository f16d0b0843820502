import { Button, Group, Radio, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { AiReason } from '../../../components/ai/ai-reason.tsx';
import { ProviderFields } from '../../../components/ai/provider-fields.tsx';
import { useProviderCheck } from '../../../components/ai/use-provider-check.ts';
import { Outcome } from '../../../components/ui/feedback/outcome.tsx';
import { AnswererLine } from '../header/answerer-line.tsx';
import { sharedProviderQuery } from '../transcript-queries.ts';
import { providerKinds, type TranscriptDraft } from './transcript-draft.ts';
import type { TranscriptForm } from './use-transcript-form.ts';

/** Who recognises speech, and what leaves this server for it. */
export function ProviderPart({ form }: { form: TranscriptForm }) {
  const { t } = useTranslation();
  const { draft } = form;
  return (
    <Stack gap="md" maw={560}>
      <Radio.Group
        label={t('transcript.provider.label')}
        value={draft.provider}
        onChange={(value) => form.edit({ provider: providerKinds.find((kind) => kind === value) ?? 'shared' })}
      >
        <Stack gap="xs" mt="xs">
          {providerKinds.map((kind) => (
            <Radio
              key={kind}
              value={kind}
              label={t(`transcript.provider.${kind}`)}
              description={t(`transcript.providerHelp.${kind}`)}
            />
          ))}
        </Stack>
      </Radio.Group>
      {form.refusal && <AiReason cause={form.refusal} tone="bad" />}
      {draft.provider === 'shared' && !form.refusal && <Shared language={draft.lang} />}
      {draft.provider === 'own' && <Own form={form} draft={draft} />}
    </Stack>
  );
}

function Shared({ language }: { language: string }) {
  const { data } = useQuery(sharedProviderQuery(language));
  return data ? <AnswererLine answerer={data.transcribe} /> : null;
}

function Own({ form, draft }: { form: TranscriptForm; draft: TranscriptDraft }) {
  const { t } = useTranslation();
  const check = useProviderCheck();
  const tryOut = () => {
    if (form.checkProvider() && !check.isPending) check.mutate(draft);
  };
  const host = URL.canParse(draft.baseURL) ? new URL(draft.baseURL).host : '';
  return (
    <Stack gap="md">
      <ProviderFields
        value={draft}
        problem={form.problem?.tab === 'provider' ? form.problem.provider : undefined}
        onEdit={(change) => {
          form.edit(change);
          check.reset();
        }}
      />
      <Group gap="sm">
        <Button variant="default" loading={check.isPending} onClick={tryOut}>
          {t('llm.test')}
        </Button>
        <Outcome outcome={check.outcome} />
      </Group>
      {host !== '' && <AnswererLine answerer={{ by: 'provider', host, cause: null }} />}
    </Stack>
  );
}
