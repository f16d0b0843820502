import { TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type AiModels, aiApi, aiDefaultModels } from '@weir/contract';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { SettingsForm } from '../../components/settings-form/settings-form.tsx';
import { useSettingsForm } from '../../components/settings-form/use-settings-form.ts';
import { Section } from '../../components/ui/layout/section.tsx';
import { client } from '../../lib/api.ts';
import { modelsQuery, offeredModelsQuery } from './llm-queries.ts';

const fields = ['transcribe', 'chat', 'see', 'speak', 'voice'] as const satisfies readonly (keyof AiModels)[];
const none: AiModels = { transcribe: '', chat: '', see: '', speak: '', voice: '' };

/** What is asked for of the default provider: a server of one's own has other names than OpenAI. */
export function ModelsPanel() {
  const { t } = useTranslation();
  const listId = useId();
  const models = useQuery(modelsQuery);
  const [isChoosing, setIsChoosing] = useState(false);
  const offered = useQuery({ ...offeredModelsQuery, enabled: isChoosing });
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
            autoComplete="off"
            spellCheck={false}
            list={field === 'voice' ? undefined : listId}
            value={form.value[field]}
            onFocus={() => setIsChoosing(true)}
            onChange={(event) => form.edit({ [field]: event.currentTarget.value })}
          />
        ))}
        <datalist id={listId}>
          {offered.data?.models.map(({ id }) => (
            <option key={id} value={id} />
          ))}
        </datalist>
      </SettingsForm>
    </Section>
  );
}
