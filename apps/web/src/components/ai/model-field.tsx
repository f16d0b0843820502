import { TextInput } from '@mantine/core';
import { aiTaskLimits } from '@weir/contract';
import { useTranslation } from 'react-i18next';
import { useModelOptions } from './model-options.tsx';
import type { ProviderFacts } from './provider-problem.ts';

interface NameFieldProps {
  value: string;
  onChange: (name: string) => void;
}

/** Which model is asked, of those that the provider lists or any other. */
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

/** Whose voice speaks. Providers do not list theirs. */
export function VoiceField({ value, onChange }: NameFieldProps) {
  const { t } = useTranslation();
  return (
    <TextInput
      size="md"
      label={t('llm.field.voice')}
      description={t('llm.field.voiceHelp')}
      maxLength={aiTaskLimits.settingCharacters}
      autoComplete="off"
      value={value}
      onChange={(event) => onChange(event.currentTarget.value.trim())}
    />
  );
}
