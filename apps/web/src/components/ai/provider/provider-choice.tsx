import { Radio, Stack } from '@mantine/core';
import { type AiCapability, aiPresets, builtInBaseUrl } from '@weir/contract';
import { useTranslation } from 'react-i18next';
import { useLocale } from '../../../lib/i18n.ts';
import { PrivacyLines } from '../privacy-lines.tsx';
import { useAnswerers } from '../use-answerers.ts';
import { ProviderFields } from './provider-fields.tsx';
import { hasOwnProvider, type ProviderFacts, type ProviderProblem } from './provider-problem.ts';

export interface ProviderChoiceProps {
  value: ProviderFacts;
  onEdit: (change: Partial<ProviderFacts>) => void;
  problem: ProviderProblem | undefined;
  /** Capabilities that the feature uses. */
  needs: readonly AiCapability[];
  /** Spoken language of the stream. */
  language?: string;
  /** True if built-in AI has these capabilities. */
  offersBuiltIn?: boolean;
}

/** Prefix shown until a full address is typed. */
const begun = 'https://';

const says = (baseURL: string): ProviderFacts => ({ secretKey: '', baseURL, organization: '' });

/**
 * Selects the default provider, built-in AI or an own provider. The default is referenced, not copied, so that a new key there takes effect
 * here too.
 */
export function ProviderChoice({
  value,
  onEdit,
  problem,
  needs,
  language = '',
  offersBuiltIn = true,
}: ProviderChoiceProps) {
  const { t } = useTranslation();
  const chosen = hasOwnProvider(value) ? 'own' : value.baseURL === '' ? 'global' : 'builtIn';
  const answerers = useAnswerers(value, language);
  // The first preset is unreachable from China.
  const offered = useLocale() === 'zh' ? begun : aiPresets[0].baseURL;
  const choose = (next: string) => onEdit(says(next === 'global' ? '' : next === 'builtIn' ? builtInBaseUrl : offered));
  const editOwn = ({ baseURL, ...change }: Partial<ProviderFacts>) =>
    onEdit(baseURL === undefined ? change : { ...change, baseURL: ownAddress(baseURL) });
  return (
    <Stack gap="md">
      <Radio.Group label={t('llm.choice.label')} value={chosen} onChange={choose}>
        <Stack gap="xs" mt="xs">
          <Radio value="global" label={t('llm.choice.global')} description={t('llm.choice.globalHelp')} />
          {offersBuiltIn && <Radio value="builtIn" label={t('llm.choice.builtIn')} description={t('llm.local.help')} />}
          <Radio value="own" label={t('llm.choice.own')} />
        </Stack>
      </Radio.Group>
      {chosen === 'own' && <ProviderFields {...{ value, problem }} onEdit={editOwn} />}
      {answerers && <PrivacyLines {...{ needs, answerers }} />}
    </Stack>
  );
}

/** Clearing the field must not switch to another choice, so the prefix stays and counts only once an address follows it. */
function ownAddress(typed: string): string {
  return typed === '' ? begun : typed.replace(/^https:\/\/(?=https?:\/\/)/, '');
}
