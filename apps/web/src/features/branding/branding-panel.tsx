import { Button, Group, Stack, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type Branding, brandingApi, limits } from '@weir/contract';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { StaleChip } from '../../components/ui/feedback/stale-chip.tsx';
import { StatusLabel } from '../../components/ui/feedback/status-label.tsx';
import { Section } from '../../components/ui/layout/section.tsx';
import { client } from '../../lib/api.ts';
import { notify } from '../../lib/notify.ts';
import { brandingQuery } from './branding-queries.ts';

interface BrandingPanelProps {
  field: keyof Branding;
  title: string;
  help: string;
  label: string;
  placeholder: string;
  action: string;
}

export function BrandingPanel({ field, title, help, label, placeholder, action }: BrandingPanelProps) {
  const { t } = useTranslation();
  const branding = useQuery(brandingQuery);
  const saved = branding.data?.[field] ?? '';
  // What was typed stands apart from what the server says, so that a late or repeated answer cannot overwrite it.
  const [draft, setDraft] = useState<string>();
  const save = useSave(field, () => setDraft(undefined));
  const isChanged = draft !== undefined && draft !== saved;

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!save.isPending) save.mutate((draft ?? saved).trim());
  };

  return (
    <Section title={title} help={help} state={<StaleChip {...branding} />}>
      <form onSubmit={submit}>
        <Stack gap="md" maw={560}>
          <TextInput
            size="md"
            label={label}
            placeholder={placeholder}
            maxLength={limits.brandingCharacters}
            value={draft ?? saved}
            onChange={(event) => setDraft(event.currentTarget.value)}
          />
          <Group>
            <Button type="submit" loading={save.isPending} disabled={!branding.data}>
              {action}
            </Button>
            {isChanged && <StatusLabel tone="warn" word={t('helper.unsaved')} />}
          </Group>
        </Stack>
      </form>
    </Section>
  );
}

function useSave(field: keyof Branding, onSaved: () => void) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (text: string) => client.call(brandingApi.update, { beian: field, text }),
    onSuccess: (_answer, text) => {
      // Title and footer follow at once; the next answer of the server confirms them.
      queries.setQueryData(brandingQuery.queryKey, (before) => ({ ...before, [field]: text }));
      onSaved();
      notify.success(t('helper.setOk'));
    },
  });
}
