import { Checkbox, Stack, Textarea, TextInput } from '@mantine/core';
import { aiTaskLimits, ocrLimits } from '@weir/contract';
import { useTranslation } from 'react-i18next';
import { NumberText } from './number-text.tsx';
import type { OcrForm } from './use-ocr-form.ts';

/** What a model is asked about each picture. */
export function ChatPart({ form }: { form: OcrForm }) {
  const { t } = useTranslation();
  const { draft, edit } = form;
  return (
    <Stack gap="md" maw={560}>
      <Checkbox
        label={t('ocr.enabled')}
        description={t('ocr.enabledHelp')}
        checked={draft.aiChatEnabled}
        onChange={(event) => edit({ aiChatEnabled: event.currentTarget.checked })}
      />
      <TextInput
        size="md"
        label={t('ocr.modelLabel')}
        description={t('ocr.model')}
        autoComplete="off"
        spellCheck={false}
        maxLength={aiTaskLimits.settingCharacters}
        value={draft.aiChatModel}
        onChange={(event) => edit({ aiChatModel: event.currentTarget.value })}
      />
      <Textarea
        size="md"
        rows={7}
        label={t('ocr.prompt')}
        description={t('ocr.promptHelp')}
        maxLength={ocrLimits.promptCharacters}
        value={draft.aiChatPrompt}
        onChange={(event) => edit({ aiChatPrompt: event.currentTarget.value })}
      />
      <NumberText form={form} field="window" label={t('ocr.window')} help={t('ocr.windowHelp')} />
      <NumberText form={form} field="words" label={t('ocr.words')} help={t('ocr.wordsHelp')} />
    </Stack>
  );
}
