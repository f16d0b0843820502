import { Checkbox, NativeSelect, Stack } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { LanguageSelect } from '../../../components/ai/language-select.tsx';
import { ModelField } from '../../../components/ai/model-field.tsx';
import type { AssistantForm } from './use-assistant-form.ts';

/** Whether guests can speak, in which language, and what helps to understand them. */
export function AsrPart({ form: { value, edit } }: { form: AssistantForm }) {
  const { t } = useTranslation();
  return (
    <Stack gap="md" maw={560}>
      <Checkbox
        label={t('rooms.asr.enabled')}
        description={t('rooms.asr.enabledHelp')}
        checked={value.hears}
        onChange={(event) => edit({ hears: event.currentTarget.checked })}
      />
      <Checkbox
        label={t('rooms.asr.edit')}
        description={t('rooms.asr.editHelp')}
        checked={value.edits}
        disabled={!value.hears}
        onChange={(event) => edit({ edits: event.currentTarget.checked })}
      />
      <LanguageSelect
        label={t('rooms.asr.language')}
        help={t('rooms.asr.languageHelp')}
        none={t('rooms.asr.languageAuto')}
        value={value.language}
        onChange={(language) => edit({ language })}
      />
      <ModelField provider={value} value={value.asrModel} onChange={(asrModel) => edit({ asrModel })} />
      <NativeSelect
        size="md"
        label={t('rooms.asr.prompt')}
        description={t('rooms.asr.promptHelp')}
        data={[
          { value: 'user-ai', label: t('rooms.asr.promptBoth') },
          { value: 'user-only', label: t('rooms.asr.promptUser') },
        ]}
        value={value.asrPrompt}
        onChange={(event) => edit({ asrPrompt: event.currentTarget.value === 'user-only' ? 'user-only' : 'user-ai' })}
      />
    </Stack>
  );
}
