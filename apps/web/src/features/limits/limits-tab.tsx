import { TextInput } from '@mantine/core';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { BitrateLimits, highestKbps, limitsApi } from '@weir/contract';
import { useTranslation } from 'react-i18next';
import { SettingsForm } from '../../components/settings-form/settings-form.tsx';
import { useSettingsForm } from '../../components/settings-form/use-settings-form.ts';
import { StaleChip } from '../../components/ui/feedback/stale-chip.tsx';
import { Section } from '../../components/ui/layout/section.tsx';
import { client } from '../../lib/api.ts';

const limitsQuery = queryOptions({
  queryKey: ['limits'],
  queryFn: ({ signal }) => client.call(limitsApi.query, {}, { signal }),
});

type Field = keyof BitrateLimits;
type Texts = Record<Field, string>;

const fields = ['vlive', 'camera'] as const satisfies readonly Field[];

export function LimitsTab() {
  const { t } = useTranslation();
  const limits = useQuery(limitsQuery);
  const form = useSettingsForm<Texts, readonly Field[]>({
    saved: { vlive: String(limits.data?.vlive ?? ''), camera: String(limits.data?.camera ?? '') },
    isKnown: limits.data !== undefined,
    check: (texts) => {
      const wrong = fields.filter((field) => !BitrateLimits.shape[field].safeParse(parseKbps(texts[field])).success);
      return wrong.length > 0 ? wrong : undefined;
    },
    save: (texts) => client.call(limitsApi.update, toBitrateLimits(texts)),
    refresh: (queries, texts) => queries.setQueryData(limitsQuery.queryKey, toBitrateLimits(texts)),
    done: t('helper.setOk'),
  });
  const input = (field: Field, label: string) => (
    <TextInput
      size="md"
      label={label}
      inputMode="numeric"
      autoComplete="off"
      value={form.value[field]}
      onChange={(event) => form.edit({ [field]: event.currentTarget.value })}
      error={form.problem?.includes(field) && t('settings.limitsInvalid', { most: highestKbps })}
    />
  );
  return (
    <Section
      isSplit
      title={t('settings.limitsTitle')}
      help={t('settings.limitsHelp')}
      state={<StaleChip {...limits} />}
    >
      <SettingsForm form={form} width={432}>
        {input('vlive', t('settings.limitsVLive'))}
        {input('camera', t('settings.limitsCamera'))}
      </SettingsForm>
    </Section>
  );
}

function toBitrateLimits({ vlive, camera }: Texts): BitrateLimits {
  return { vlive: parseKbps(vlive), camera: parseKbps(camera) };
}

/** Accepts only digits, because `5000kb` or `1e9` is ambiguous. */
function parseKbps(text: string): number {
  return /^\s*\d+\s*$/.test(text) ? Number(text) : Number.NaN;
}
