import { Button, Group, Stack, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Homepage, platformApi } from '@weir/contract';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { StaleChip } from '../../components/ui/feedback/stale-chip.tsx';
import { StatusLabel } from '../../components/ui/feedback/status-label.tsx';
import { Section } from '../../components/ui/layout/section.tsx';
import { client } from '../../lib/api.ts';
import { useSave } from '../../lib/use-save.ts';
import { homepageQuery } from './platform-queries.ts';

export function HomepagePanel() {
  const { t } = useTranslation();
  const query = useQuery(homepageQuery);
  const saved = query.data?.homepage ?? '';
  const [draft, setDraft] = useState<string>();
  const [refused, setRefused] = useState<string>();
  const save = useSave({
    query: homepageQuery,
    save: (homepage: string) => client.call(platformApi.updateHomepage, { homepage }),
    done: t('helper.setOk'),
    onSaved: () => setDraft(undefined),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const homepage = (draft ?? saved).trim();
    const isGood = Homepage.safeParse(homepage).success;
    setRefused(homepage === '' ? t('platform.homepage.required') : isGood ? undefined : t('platform.homepage.invalid'));
    if (isGood && !save.isPending) save.mutate(homepage);
  };
  return (
    <Section title={t('platform.homepage.title')} help={t('platform.homepage.help')} state={<StaleChip {...query} />}>
      <form onSubmit={submit} noValidate>
        <Stack gap="md" maw={560}>
          <TextInput
            size="md"
            label={t('platform.homepage.field')}
            description={t('platform.homepage.tip')}
            autoComplete="off"
            spellCheck={false}
            value={draft ?? saved}
            onChange={(event) => {
              setDraft(event.currentTarget.value);
              setRefused(undefined);
            }}
            error={refused}
          />
          <Group>
            <Button type="submit" loading={save.isPending} disabled={!query.data}>
              {t('helper.update')}
            </Button>
            {draft !== undefined && draft !== saved && <StatusLabel tone="warn" word={t('helper.unsaved')} />}
          </Group>
        </Stack>
      </form>
    </Section>
  );
}
