import { TextInput } from '@mantine/core';
import { aiTaskLimits } from '@weir/contract';
import { useTranslation } from 'react-i18next';
import { useModelOptions, useVoiceOptions } from './model-options.tsx';
import type { ProviderFacts } from './provider/provider-problem.ts';

interface NameFieldProps {
  value: string;
  onChange: (name: string) => void;
}

/** Model name: suggestions of the provider, or any text. */
export function ModelField({ provider, value, onChange }: NameFieldProps & { provider: ProviderFacts }) {
  const { t } = useTranslation();
  const { field, options } = useModelOptions(provider);
  return (
    <>
      <TextInput
        {...field}
        size="md"
        label={t('llm.field.model')}
        description={t('llm.field.modelHelp')}
        maxLength={aiTaskLimits.settingCharacters}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value.trim())}
      />
      {options}
    </>
  );
}

/** Voice name: known voices, or any text. */
export function VoiceField({ provider, value, onChange }: NameFieldProps & { provider: ProviderFacts }) {
  const { t } = useTranslation();
  const { field, options, isBuiltIn } = useVoiceOptions(provider);
  return (
    <>
      <TextInput
        size="md"
        label={t('llm.field.voice')}
        description={t(isBuiltIn ? 'llm.field.voiceBuiltIn' : 'llm.field.voiceHelp')}
        maxLength={aiTaskLimits.settingCharacters}
        {...field}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value.trim())}
      />
      {options}
    </>
  );
}
