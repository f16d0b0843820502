import { Button, Group, Stack, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { BitrateLimits, highestKbps, limitsApi } from '@weir/contract';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { StaleChip } from '../../components/ui/feedback/stale-chip.tsx';
import { StatusLabel } from '../../components/ui/feedback/status-label.tsx';
import { Section } from '../../components/ui/layout/section.tsx';
import { client } from '../../lib/api.ts';
import { notify } from '../../lib/notify.ts';
import { limitsQuery } from './limits-queries.ts';

type Field = keyof BitrateLimits;

export function LimitsTab() {
  const { t } = useTranslation();
  const limits = useQuery(limitsQuery);
  // What was typed stands apart from what the server says, so that a late or repeated answer cannot overwrite it.
  const [draft, setDraft] = useState<Partial<Record<Field, string>>>({});
  const [isChecked, setIsChecked] = useState(false);
  const save = useSave(() => setDraft({}));
  const textOf = (field: Field) => draft[field] ?? String(limits.data?.[field] ?? '');
  const isGood = (field: Field) => BitrateLimits.shape[field].safeParse(kbpsOf(textOf(field))).success;
  const isChanged =
    limits.data && (['vlive', 'camera'] as const).some((field) => kbpsOf(textOf(field)) !== limits.data[field]);

  const submit = (event: FormEvent) => {
    event.preventDefault();
    setIsChecked(true);
    if (save.isPending || !isGood('vlive') || !isGood('camera')) return;
    save.mutate({ vlive: kbpsOf(textOf('vlive')), camera: kbpsOf(textOf('camera')) });
  };
  const input = (field: Field, label: string) => (
    <TextInput
      size="md"
      label={label}
      inputMode="numeric"
      autoComplete="off"
      value={textOf(field)}
      onChange={(event) => setDraft({ ...draft, [field]: event.currentTarget.value })}
      error={isChecked && !isGood(field) ? t('settings.limitsInvalid', { most: highestKbps }) : undefined}
    />
  );

  return (
    <Section title={t('settings.limitsTitle')} help={t('settings.limitsHelp')} state={<StaleChip {...limits} />}>
      <form onSubmit={submit} noValidate>
        <Stack gap="md" maw={432}>
          {input('vlive', t('settings.limitsVLive'))}
          {input('camera', t('settings.limitsCamera'))}
          <Group>
            <Button type="submit" loading={save.isPending} disabled={!limits.data}>
              {t('helper.update')}
            </Button>
            {isChanged && <StatusLabel tone="warn" word={t('helper.unsaved')} />}
          </Group>
        </Stack>
      </form>
    </Section>
  );
}

/** Digits only: of `5000kb` or `1e9` nobody knows what was meant. */
function kbpsOf(text: string): number {
  return /^\s*\d+\s*$/.test(text) ? Number(text) : Number.NaN;
}

function useSave(onSaved: () => void) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (limits: BitrateLimits) => client.call(limitsApi.update, limits),
    onSuccess: (_answer, limits) => {
      queries.setQueryData(limitsQuery.queryKey, limits);
      onSaved();
      notify.success(t('helper.setOk'));
    },
  });
}
