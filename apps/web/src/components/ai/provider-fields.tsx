import { PasswordInput, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { ProviderFacts, ProviderProblem } from './provider-problem.ts';

interface ProviderFieldsProps {
  value: ProviderFacts;
  onEdit: (change: Partial<ProviderFacts>) => void;
  problem: ProviderProblem | undefined;
}

/** Key, base URL and organization of an AI provider: the same wherever one can be set. */
export function ProviderFields({ value, onEdit, problem }: ProviderFieldsProps) {
  const { t } = useTranslation();
  const edit = (field: keyof ProviderFacts) => (event: { currentTarget: { value: string } }) =>
    onEdit({ [field]: event.currentTarget.value.trim() });
  const errorOf = (field: ProviderProblem['field']) => (problem?.field === field ? t(problem.text) : undefined);
  return (
    <>
      <PasswordInput
        size="md"
        label={t('llm.key')}
        description={t('llm.keyHelp')}
        visibilityToggleButtonProps={{ 'aria-label': t('helper.reveal') }}
        autoComplete="off"
        data-1p-ignore
        spellCheck={false}
        value={value.secretKey}
        // The mask is no key to add letters to: whoever goes there types a new one.
        onFocus={(event) => event.currentTarget.select()}
        onChange={edit('secretKey')}
        error={errorOf('secretKey')}
      />
      <TextInput
        size="md"
        label={t('llm.url')}
        description={t('llm.urlHelp')}
        placeholder="https://example.com/v1"
        inputMode="url"
        autoComplete="off"
        spellCheck={false}
        value={value.baseURL}
        onChange={edit('baseURL')}
        error={errorOf('baseURL')}
      />
      <TextInput
        size="md"
        label={t('llm.organization')}
        description={t('llm.organizationHelp')}
        autoComplete="off"
        spellCheck={false}
        value={value.organization}
        onChange={edit('organization')}
      />
    </>
  );
}
