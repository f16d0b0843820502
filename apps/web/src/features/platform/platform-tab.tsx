import { List, NativeSelect, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Homepage, monthlyHourChoices, noMonthlyLimit, platformApi } from '@weir/contract';
import { useTranslation } from 'react-i18next';
import { SettingsForm } from '../../components/settings-form/settings-form.tsx';
import { useSettingsForm } from '../../components/settings-form/use-settings-form.ts';
import { FactList } from '../../components/ui/facts/fact-list.tsx';
import { Moment } from '../../components/ui/facts/moment.tsx';
import { StaleChip } from '../../components/ui/feedback/stale-chip.tsx';
import { Section, SectionGroup } from '../../components/ui/layout/section.tsx';
import { client } from '../../lib/api.ts';
import { BalancerPanel } from './balancer-panel.tsx';
import { EdgesPanel } from './edges-panel.tsx';
import { homepageQuery, monthlyUseQuery } from './platform-queries.ts';
import { WindowPanel } from './window-panel.tsx';

export function PlatformTab() {
  const { t } = useTranslation();
  return (
    <SectionGroup>
      <WindowPanel />
      <HomepagePanel />
      <EdgesPanel />
      <BalancerPanel />
      <HoursPanel />
      <Section isSplit title={t('platform.not.title')}>
        <List size="sm" spacing={4}>
          <List.Item>{t('platform.not.ssh')}</List.Item>
          <List.Item>{t('platform.not.proxy')}</List.Item>
        </List>
      </Section>
    </SectionGroup>
  );
}

function HomepagePanel() {
  const { t } = useTranslation();
  const query = useQuery(homepageQuery);
  const form = useSettingsForm({
    saved: { homepage: query.data?.homepage ?? '' },
    isKnown: query.data !== undefined,
    check: ({ homepage }) => {
      if (homepage.trim() === '') return t('platform.homepage.required');
      return Homepage.safeParse(homepage.trim()).success ? undefined : t('platform.homepage.invalid');
    },
    save: ({ homepage }) => client.call(platformApi.updateHomepage, { homepage: homepage.trim() }),
    refresh: (queries) => queries.invalidateQueries(homepageQuery),
    done: t('helper.setOk'),
  });
  return (
    <Section
      isSplit
      title={t('platform.homepage.title')}
      help={t('platform.homepage.help')}
      state={<StaleChip {...query} />}
    >
      <SettingsForm form={form} width={560}>
        <TextInput
          size="md"
          label={t('platform.homepage.field')}
          description={t('platform.homepage.tip')}
          autoComplete="off"
          spellCheck={false}
          value={form.value.homepage}
          onChange={(event) => form.edit({ homepage: event.currentTarget.value })}
          error={form.problem}
        />
      </SettingsForm>
    </Section>
  );
}

const hourSeconds = 3600;
const choices = monthlyHourChoices.map((hours) => hours * hourSeconds);

function HoursPanel() {
  const { t } = useTranslation();
  const query = useQuery(monthlyUseQuery);
  const { data } = query;
  const form = useSettingsForm({
    saved: { totalDuration: data?.totalDuration ?? noMonthlyLimit },
    isKnown: data !== undefined,
    save: (limit) => client.call(platformApi.updateLimit, limit),
    refresh: (queries) => queries.invalidateQueries(monthlyUseQuery),
    done: t('platform.hours.ok'),
  });
  const shown = form.value.totalDuration;
  const isOwnChoice = shown !== noMonthlyLimit && !choices.includes(shown);
  const options = [
    ...choices.map((seconds) => ({
      value: String(seconds),
      label: t('platform.hours.choice', { hours: seconds / hourSeconds }),
    })),
    // The API may have set a value that this list lacks.
    ...(isOwnChoice ? [{ value: String(shown), label: t('platform.hours.other', { hours: inHours(shown) }) }] : []),
    { value: String(noMonthlyLimit), label: t('platform.hours.none') },
  ];
  return (
    <Section isSplit title={t('platform.hours.title')} help={t('platform.hours.help')} state={<StaleChip {...query} />}>
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
