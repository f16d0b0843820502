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
  /** What the feature asks for. */
  needs: readonly AiCapability[];
  /** Of what is said in the stream. */
  language?: string;
  /** Built-in AI can do what the feature needs. */
  offersBuiltIn?: boolean;
}

/** The beginning of an address that is still to be typed. */
const begun = 'https://';

const says = (baseURL: string): ProviderFacts => ({ secretKey: '', baseURL, organization: '' });

/**
 * Who answers a feature: the default provider, built-in AI, or one of its own. The default one is not copied, so a key that is changed
 * there counts here at once.
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
  // Chinese readers cannot reach the address that most begin with.
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

/**
 * No address at all would be another choice, made by somebody who only empties the field: its beginning stays, and counts once when a whole
 * address is put behind it.
 */
function ownAddress(typed: string): string {
  return typed === '' ? begun : typed.replace(/^https:\/\/(?=https?:\/\/)/, '');
}
