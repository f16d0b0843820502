import { NativeSelect, PasswordInput, TextInput } from '@mantine/core';
import { aiPresets, isSameHost } from '@weir/contract';
import { useTranslation } from 'react-i18next';
import type { ProviderFacts, ProviderProblem } from './provider-problem.ts';

interface ProviderFieldsProps {
  value: ProviderFacts;
  onEdit: (change: Partial<ProviderFacts>) => void;
  problem: ProviderProblem | undefined;
}

const other = 'other';
/** Sent to providers that need no key. */
export const anyKey = 'none';

/** Fields of an AI provider, shared by all forms. */
export function ProviderFields({ value, onEdit, problem }: ProviderFieldsProps) {
  const { t } = useTranslation();
  const preset = aiPresets.find(({ baseURL }) => baseURL === value.baseURL);
  const errorOf = (field: ProviderProblem['field']) => (problem?.field === field ? t(problem.text) : undefined);
  const type = (field: keyof ProviderFacts) => (event: { currentTarget: { value: string } }) =>
    onEdit({ [field]: event.currentTarget.value.trim() });
  const choose = (name: string) => {
    const chosen = aiPresets.find((one) => one.name === name);
    const baseURL = chosen?.baseURL ?? '';
    // Keys are bound to a host and are not carried over to another one.
    if (!isSameHost(baseURL, value.baseURL)) onEdit({ baseURL, secretKey: chosen && !chosen.needsKey ? anyKey : '' });
  };
  return (
    <>
      <NativeSelect
        size="md"
        label={t('llm.preset')}
        value={preset?.name ?? other}
        onChange={(event) => choose(event.currentTarget.value)}
        data={[
          ...aiPresets.map(({ name }) => ({ value: name, label: t(`llm.presets.${name}`) })),
          { value: other, label: t('llm.presets.other') },
        ]}
      />
      <PasswordInput
        size="md"
        label={t('llm.key')}
        description={preset && !preset.needsKey ? t('llm.keyFree') : t('llm.keyHelp')}
        visibilityToggleButtonProps={{ 'aria-label': t('helper.reveal') }}
        autoComplete="off"
        data-1p-ignore
        spellCheck={false}
        value={value.secretKey}
        // Selects the mask on focus, so that typing replaces it.
        onFocus={(event) => event.currentTarget.select()}
        onChange={type('secretKey')}
        error={errorOf('secretKey')}
      />
      <TextInput
        size="md"
        label={t('llm.url')}
        description={t('llm.urlHelp')}
        placeholder={aiPresets[0].baseURL}
        inputMode="url"
        autoComplete="off"
        spellCheck={false}
        value={value.baseURL}
        onChange={type('baseURL')}
        error={errorOf('baseURL')}
      />
      <TextInput
        size="md"
        label={t('llm.organization')}
        description={t('llm.organizationHelp')}
        autoComplete="off"
        spellCheck={false}
        value={value.organization}
        onChange={type('organization')}
      />
    </>
  );
}
