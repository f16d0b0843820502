import { Box } from '@mantine/core';
import { AiReason } from '../../../components/ai/ai-reason.tsx';
import { ProviderChoice } from '../../../components/ai/provider-choice.tsx';
import type { OcrForm } from './use-ocr-form.ts';

/** Who reads the pictures, and what leaves this server for it. */
export function ProviderPart({ form }: { form: OcrForm }) {
  const { draft, problem, refusal, edit } = form;
  return (
    <Box maw={560}>
      <ProviderChoice
        value={draft}
        onEdit={edit}
        problem={problem?.tab === 'provider' ? problem.provider : undefined}
        need="see"
      />
      {refusal && <AiReason cause={refusal} tone="bad" />}
    </Box>
  );
}
