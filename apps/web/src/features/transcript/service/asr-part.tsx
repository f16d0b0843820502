import { Stack, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { transcriptLimits } from '@weir/contract';
import { useTranslation } from 'react-i18next';
import { languagesQuery } from '../../../components/ai/ai-queries.ts';
import { LanguageSelect } from '../../../components/ai/language-select.tsx';
import { StreamChoice } from './stream-choice.tsx';
import { TranslationChoice } from './translation-choice.tsx';
import type { TranscriptForm } from './use-transcript-form.ts';

/** What is said, where, and how long there is to correct it. */
export function AsrPart({ form }: { form: TranscriptForm }) {
  const { t } = useTranslation();
  const { data } = useQuery(languagesQuery);
  const { draft, problem } = form;
  const languages = data?.languages ?? [];
  return (
    <Stack gap="md" maw={560}>
      <LanguageSelect
        label={t('transcript.lang')}
        help={t('transcript.lang2')}
        none={t('transcript.langAuto')}
        value={draft.lang}
        onChange={(lang) => form.edit({ lang })}
      />
      <TranslationChoice
        {...{ languages, spoken: draft.lang, chosen: draft.translations }}
        onChange={(translations) => form.edit({ translations })}
      />
      <StreamChoice chosen={draft.streams} onChange={(streams) => form.edit({ streams })} />
      <TextInput
        size="md"
        label={t('transcript.fixSeconds')}
        description={t('transcript.fixSecondsHelp', { most: transcriptLimits.fixSeconds })}
        placeholder={t('transcript.fixSecondsAuto')}
        inputMode="decimal"
        autoComplete="off"
        value={draft.fixSeconds}
        onChange={(event) => form.edit({ fixSeconds: event.currentTarget.value })}
        error={
          problem?.tab === 'asr' ? t('transcript.fixSecondsWrong', { most: transcriptLimits.fixSeconds }) : undefined
        }
      />
    </Stack>
  );
}
