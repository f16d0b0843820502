import { NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { monthlyHourChoices, noMonthlyLimit, platformApi } from '@weir/contract';
import { useTranslation } from 'react-i18next';
import { SettingsForm } from '../../components/settings-form/settings-form.tsx';
import { useSettingsForm } from '../../components/settings-form/use-settings-form.ts';
import { FactList } from '../../components/ui/facts/fact-list.tsx';
import { Moment } from '../../components/ui/facts/moment.tsx';
import { StaleChip } from '../../components/ui/feedback/stale-chip.tsx';
import { Section } from '../../components/ui/layout/section.tsx';
import { client } from '../../lib/api.ts';
import { monthlyUseQuery } from './platform-queries.ts';

const hourSeconds = 3600;
const choices = monthlyHourChoices.map((hours) => hours * hourSeconds);

export function HoursPanel() {
  const { t } = useTranslation();
  const query = useQuery(monthlyUseQuery);
  const { data } = query;
  const form = useSettingsForm({
    saved: { totalDuration: data?.totalDuration ?? noMonthlyLimit },
    isKnown: data !== undefined,
    save: (limit) => client.call(platformApi.updateLimit, limit),
    settle: (queries) => queries.invalidateQueries(monthlyUseQuery),
    done: t('platform.hours.ok'),
  });
  const shown = form.value.totalDuration;
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
  return (
    <Section title={t('platform.hours.title')} help={t('platform.hours.help')} state={<StaleChip {...query} />}>
      <SettingsForm form={form} width={432}>
        <NativeSelect
          size="md"
          label={t('platform.hours.field')}
          data={options}
          disabled={!data}
          value={String(shown)}
          onChange={(event) => form.edit({ totalDuration: Number(event.currentTarget.value) })}
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
      </SettingsForm>
    </Section>
  );
}

const inHours = (seconds: number) => (seconds / hourSeconds).toFixed(2);
