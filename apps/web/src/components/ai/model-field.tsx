import { Button, TextInput } from '@mantine/core';
import { aiTaskLimits } from '@weir/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { SideSheet } from '../ui/layout/side-sheet.tsx';
import { useModelOptions, useVoiceOptions } from './model-options.tsx';
import type { ProviderFacts } from './provider/provider-problem.ts';
import { VoiceList } from './voice-list.tsx';

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
  const { field, options, isBuiltIn, voices, ask } = useVoiceOptions(provider);
  const [isOpen, setIsOpen] = useState(false);
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
      <div>
        <Button
          variant="default"
          onClick={() => {
            ask();
            setIsOpen(true);
          }}
        >
          {t('llm.voices.choose')}
        </Button>
      </div>
      <SideSheet opened={isOpen} onClose={() => setIsOpen(false)} title={t('llm.voices.choose')}>
        <VoiceList
          {...{ voices, provider, chosen: value }}
          onChoose={(voice) => {
            onChange(voice);
            setIsOpen(false);
          }}
        />
      </SideSheet>
    </>
  );
}
