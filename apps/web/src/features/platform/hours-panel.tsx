import { Button, Group, NativeSelect, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { monthlyHourChoices, noMonthlyLimit, platformApi } from '@weir/contract';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FactList } from '../../components/ui/data/fact-list.tsx';
import { Moment } from '../../components/ui/data/moment.tsx';
import { StaleChip } from '../../components/ui/feedback/stale-chip.tsx';
import { StatusLabel } from '../../components/ui/feedback/status-label.tsx';
import { Section } from '../../components/ui/layout/section.tsx';
import { client } from '../../lib/api.ts';
import { useSave } from '../../lib/use-save.ts';
import { monthlyUseQuery } from './platform-queries.ts';

const hourSeconds = 3600;
const choices = monthlyHourChoices.map((hours) => hours * hourSeconds);

export function HoursPanel() {
  const { t } = useTranslation();
  const query = useQuery(monthlyUseQuery);
  const { data } = query;
  const [draft, setDraft] = useState<number>();
  const save = useSave({
    query: monthlyUseQuery,
    save: (totalDuration: number) => client.call(platformApi.updateLimit, { totalDuration }),
    done: t('platform.hours.ok'),
    onSaved: () => setDraft(undefined),
  });
  const shown = draft ?? data?.totalDuration ?? noMonthlyLimit;
  const isOwnChoice = shown !== noMonthlyLimit && !choices.includes(shown);
  const options = [
    ...choices.map((seconds) => ({
      value: String(seconds),
      label: t('platform.hours.choice', { hours: seconds / hourSeconds }),
    })),
    // Set by the API to something this list does not have.
    ...(isOwnChoice ? [{ value: String(shown), label: t('platform.hours.other', { hours: inHours(shown) }) }] : []),
    { value: String(noMonthlyLimit), label: t('platform.hours.none') },
  ];
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!save.isPending) save.mutate(shown);
  };
  return (
    <Section title={t('platform.hours.title')} help={t('platform.hours.help')} state={<StaleChip {...query} />}>
      <form onSubmit={submit}>
        <Stack gap="md" maw={432}>
          <NativeSelect
            size="md"
            label={t('platform.hours.field')}
            data={options}
            disabled={!data}
            value={String(shown)}
            onChange={(event) => setDraft(Number(event.currentTarget.value))}
          />
          {data && (
            <FactList
              facts={[
                { term: t('platform.hours.since'), value: <Moment at={data.startDate} /> },
                {
                  term: t('platform.hours.consumed'),
                  value: t('platform.hours.consumedHours', { hours: inHours(data.consumedDuration) }),
                },
              ]}
            />
          )}
          <Group>
            <Button type="submit" loading={save.isPending} disabled={!data}>
              {t('helper.update')}
            </Button>
            {draft !== undefined && draft !== data?.totalDuration && (
              <StatusLabel tone="warn" word={t('helper.unsaved')} />
            )}
          </Group>
        </Stack>
      </form>
    </Section>
  );
}

const inHours = (seconds: number) => (seconds / hourSeconds).toFixed(2);
