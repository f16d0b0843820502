import { Group, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type AiFeature, AiLimits, aiApi, aiFeatures } from '@weir/contract';
import { useTranslation } from 'react-i18next';
import { usageQuery } from '../../components/ai/ai-queries.ts';
import { isWholeNumber } from '../../components/settings-form/number-field.tsx';
import { SettingsForm } from '../../components/settings-form/settings-form.tsx';
import { useSettingsForm } from '../../components/settings-form/use-settings-form.ts';
import { Section } from '../../components/ui/layout/section.tsx';
import { client } from '../../lib/api.ts';
import classes from './limits-panel.module.css';

type Field = 'calls' | 'minutes';
type Name = `${AiFeature}.${Field}`;
type Texts = Record<Name, string>;

const most = { calls: 1_000_000, minutes: 100_000 } as const;
const fields = ['calls', 'minutes'] as const;
/** Tests of the provider cost almost nothing, so they have no limit. */
const limited = aiFeatures.filter((feature) => feature !== 'check');
const names = limited.flatMap((feature) => fields.map((field): Name => `${feature}.${field}`));

export function LimitsPanel() {
  const { t } = useTranslation();
  const usage = useQuery(usageQuery);
  const form = useSettingsForm<Texts, readonly Name[]>({
    saved: toTexts(usage.data?.limits ?? AiLimits.parse({})),
    isKnown: usage.data !== undefined,
    check: (texts) => {
      const wrong = names.filter((name) => !isWholeNumber(texts[name], most[name.split('.')[1] as Field]));
      return wrong.length > 0 ? wrong : undefined;
    },
    save: (texts) => client.call(aiApi.updateLimits, parseLimits(texts)),
    refresh: (queries) => queries.invalidateQueries(usageQuery),
    done: t('helper.setOk'),
  });
  return (
    <Section isSplit anchor="limits" title={t('llm.limits.title')} help={t('llm.limits.help')}>
      <SettingsForm form={form} width={560}>
        <div className={classes.grid}>
          <span />
          <Group className={classes.head}>{t('llm.limits.calls')}</Group>
          <Group className={classes.head}>{t('llm.limits.minutes')}</Group>
          {limited.map((feature) => (
            <LimitRow key={feature} feature={feature} form={form} />
          ))}
        </div>
      </SettingsForm>
    </Section>
  );
}

interface LimitRowProps {
  feature: AiFeature;
  form: ReturnType<typeof useSettingsForm<Texts, readonly Name[]>>;
}

function LimitRow({ feature, form }: LimitRowProps) {
  const { t } = useTranslation();
  const name = t(`llm.feature.${feature}`);
  return (
    <>
      <span className={classes.name}>{name}</span>
      {fields.map((field) => {
        const key: Name = `${feature}.${field}`;
        return (
          <TextInput
            key={field}
            aria-label={t(field === 'calls' ? 'llm.limits.callsOf' : 'llm.limits.minutesOf', { name })}
            inputMode="numeric"
            autoComplete="off"
            value={form.value[key]}
            onChange={(event) => form.edit({ [key]: event.currentTarget.value } as Partial<Texts>)}
            error={form.problem?.includes(key) && t('helper.wholeNumber', { least: 0, most: most[field] })}
          />
        );
      })}
    </>
  );
}

function toTexts(limits: AiLimits): Texts {
  const entries = limited.flatMap((feature) =>
    fields.map((field) => [`${feature}.${field}`, String(limits[feature][field])]),
  );
  return Object.fromEntries(entries) as Texts;
}

function parseLimits(texts: Texts): AiLimits {
  const entries = limited.map((feature) => {
    const limit = { calls: Number(texts[`${feature}.calls`]), minutes: Number(texts[`${feature}.minutes`]) };
    return [feature, limit];
  });
  return AiLimits.parse(Object.fromEntries(entries));
}
