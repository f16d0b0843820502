import { TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type AiModels, aiApi, aiDefaultModels } from '@weir/contract';
import { useTranslation } from 'react-i18next';
import { modelsQuery } from '../../components/ai/ai-queries.ts';
import { useModelOptions } from '../../components/ai/model-options.tsx';
import { SettingsForm } from '../../components/settings-form/settings-form.tsx';
import { useSettingsForm } from '../../components/settings-form/use-settings-form.ts';
import { Section } from '../../components/ui/layout/section.tsx';
import { client } from '../../lib/api.ts';

const fields = ['transcribe', 'chat', 'see', 'speak', 'voice'] as const satisfies readonly (keyof AiModels)[];
const none: AiModels = { transcribe: '', chat: '', see: '', speak: '', voice: '' };

/** What is asked for of the default provider: a server of one's own has other names than OpenAI. */
export function ModelsPanel() {
  const { t } = useTranslation();
  const models = useQuery(modelsQuery);
  const offered = useModelOptions();
  const form = useSettingsForm<AiModels>({
    saved: models.data ?? none,
    isKnown: models.data !== undefined,
    save: (value) => client.call(aiApi.updateModels, value),
    settle: (queries, value) => queries.setQueryData(modelsQuery.queryKey, value),
    done: t('helper.setOk'),
  });
  return (
    <Section title={t('llm.models.title')} help={t('llm.models.help')}>
      <SettingsForm form={form} width={560}>
        {fields.map((field) => (
          <TextInput
            key={field}
            size="md"
            label={t(`llm.models.${field}`)}
            placeholder={t('llm.models.defaultModel', { model: aiDefaultModels[field] })}
            {...offered.field}
            list={field === 'voice' ? undefined : offered.field.list}
            value={form.value[field]}
            onChange={(event) => form.edit({ [field]: event.currentTarget.value })}
          />
        ))}
        {offered.options}
      </SettingsForm>
    </Section>
  );
}
