import { Checkbox, Stack, Textarea, TextInput } from '@mantine/core';
import { aiTaskLimits } from '@weir/contract';
import { useTranslation } from 'react-i18next';
import { NumberField } from '../settings-form/number-field.tsx';
import { useModelOptions } from './model-options.tsx';
import type { ProviderFacts } from './provider/provider-problem.ts';

/** Chat settings as form fields. */
export interface ChatDraft {
  readonly isOn: boolean;
  readonly model: string;
  readonly prompt: string;
  /** Numbers as typed text. */
  readonly window: string;
  readonly words: string;
}

interface ChatFieldsProps {
  /** Text key prefix. */
  kind: 'ocr' | 'rooms.chat' | 'rooms.post';
  value: ChatDraft;
  onEdit: (change: Partial<ChatDraft>) => void;
  most: { readonly promptCharacters: number; readonly window: number; readonly words: number };
  wrong: keyof ChatDraft | undefined;
  provider: ProviderFacts;
  /** Used while the field is empty. */
  defaultModel?: string;
}

/** Chat settings: on or off, model, prompt, context and answer length. */
export function ChatFields({ kind, value, onEdit, most, wrong, provider, defaultModel }: ChatFieldsProps) {
  const { t } = useTranslation();
  const { field, options } = useModelOptions(provider);
  const number = (name: 'window' | 'words', label: string, help: string) => (
    <NumberField
      {...{ label, help }}
      value={value[name]}
      most={most[name]}
      isWrong={wrong === name}
      onChange={(text) => onEdit({ [name]: text })}
    />
  );
  return (
    <Stack gap="md" maw={560}>
      <Checkbox
        label={t(`${kind}.enabled`)}
        description={t(`${kind}.enabledHelp`)}
        checked={value.isOn}
        onChange={(event) => onEdit({ isOn: event.currentTarget.checked })}
      />
      <TextInput
        {...field}
        size="md"
        label={t(`${kind}.modelLabel`)}
        description={t(`${kind}.model`)}
        placeholder={defaultModel && t('llm.models.defaultModel', { model: defaultModel })}
        maxLength={aiTaskLimits.settingCharacters}
        value={value.model}
        onChange={(event) => onEdit({ model: event.currentTarget.value })}
      />
      {options}
      <Textarea
        size="md"
        rows={7}
        label={t(`${kind}.prompt`)}
        description={t(`${kind}.promptHelp`)}
        maxLength={most.promptCharacters}
        value={value.prompt}
        error={wrong === 'prompt' && t('llm.noPrompt')}
        onChange={(event) => onEdit({ prompt: event.currentTarget.value })}
      />
      {number('window', t(`${kind}.window`), t(`${kind}.windowHelp`))}
      {number('words', t(`${kind}.words`), t(`${kind}.wordsHelp`))}
    </Stack>
  );
}
