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
/** Where no key is needed something has to be sent nevertheless. */
const anyKey = 'none';

/** Preset, key, base URL and organization of an AI provider: the same wherever one can be set. */
export function ProviderFields({ value, onEdit, problem }: ProviderFieldsProps) {
  const { t } = useTranslation();
  const preset = aiPresets.find(({ baseURL }) => baseURL === value.baseURL);
  const errorOf = (field: ProviderProblem['field']) => (problem?.field === field ? t(problem.text) : undefined);
  const type = (field: keyof ProviderFacts) => (event: { currentTarget: { value: string } }) =>
    onEdit({ [field]: event.currentTarget.value.trim() });
  const choose = (name: string) => {
    const chosen = aiPresets.find((one) => one.name === name);
    const baseURL = chosen?.baseURL ?? '';
    // A key is bound to its host: the one of another is not carried along.
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
        // The mask is no key to add letters to: whoever goes there types a new one.
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
