import { Checkbox, Stack } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { ModelField, VoiceField } from '../../../components/ai/model-field.tsx';
import type { AssistantForm } from './use-assistant-form.ts';

/** Whether answers are spoken, and by whom. */
export function TtsPart({ form: { value, edit } }: { form: AssistantForm }) {
  const { t } = useTranslation();
  return (
    <Stack gap="md" maw={560}>
      <Checkbox
        label={t('rooms.tts.enabled')}
        description={t('rooms.tts.enabledHelp')}
        checked={value.speaks}
        onChange={(event) => edit({ speaks: event.currentTarget.checked })}
      />
      <ModelField provider={value} value={value.ttsModel} onChange={(ttsModel) => edit({ ttsModel })} />
      <VoiceField provider={value} value={value.voice} onChange={(voice) => edit({ voice })} />
    </Stack>
  );
}
