import { Button, Checkbox, Group, List, NativeSelect, Text, TextInput } from '@mantine/core';
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import {
  Backend,
  type Endpoint,
  Homepage,
  loadBalancerPath,
  monthlyHourChoices,
  noMonthlyLimit,
  platformApi,
  type UpgradeStrategy,
  UpgradeWindow,
} from '@weir/contract';
import { useTranslation } from 'react-i18next';
import { SettingsForm } from '../../components/settings-form/settings-form.tsx';
import { useSettingsForm } from '../../components/settings-form/use-settings-form.ts';
import { FactList } from '../../components/ui/facts/fact-list.tsx';
import { Moment } from '../../components/ui/facts/moment.tsx';
import { StaleChip } from '../../components/ui/feedback/stale-chip.tsx';
import { StatusLabel } from '../../components/ui/feedback/status-label.tsx';
import { CopyField } from '../../components/ui/fields/copy-field.tsx';
import { Section, SectionGroup } from '../../components/ui/layout/section.tsx';
import { client } from '../../lib/api.ts';
import { notify } from '../../lib/notify.ts';
import { edgesQuery } from '../../lib/queries/edges-queries.ts';
import { statusQuery } from '../../lib/queries/system-queries.ts';
import { EdgesPanel } from './edges-panel.tsx';

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

/** Number of fields on an empty form; the API may have set more. */
const leastFields = 3;

function BalancerPanel() {
  const { t } = useTranslation();
  const query = useQuery(backendsQuery);
  const saved = query.data?.backends ?? [];
  const form = useSettingsForm<{ backends: readonly string[] }>({
    saved: { backends: saved },
    isKnown: query.data !== undefined,
    check: ({ backends }) => {
      const filled = filledOf(backends);
      if (filled.length === 0) return 'required';
      return filled.every(isBackend) ? undefined : 'invalid';
    },
    save: ({ backends }) => client.call(platformApi.updateBackends, { backends: filledOf(backends) }),
    refresh: (queries) => queries.invalidateQueries(backendsQuery),
    done: t('helper.setOk'),
  });
  const remove = useRemoval(form.discard);
  const fields = Array.from({ length: Math.max(leastFields, saved.length) }, (_, n) => form.value.backends[n] ?? '');
  const errorOf = (text: string, index: number) => {
    if (form.problem === 'required') return index === 0 ? t('platform.balancer.required') : undefined;
    const isWrong = form.problem === 'invalid' && text.trim() !== '' && !isBackend(text.trim());
    return isWrong ? t('platform.balancer.invalid') : undefined;
  };
  const hasEdges = (useQuery(edgesQuery).data?.edges.length ?? 0) > 0;
  const isOn = saved.length > 0;
  const state = isOn || hasEdges ? t('platform.balancer.isOn') : t('platform.balancer.isOff');

  return (
    <Section
      isSplit
      title={t('platform.balancer.title')}
      help={t('platform.balancer.help')}
      state={
        query.failureCount > 0 ? (
          <StaleChip {...query} />
        ) : (
          <StatusLabel tone={isOn || hasEdges ? 'ok' : 'off'} word={state} />
        )
      }
    >
      <SettingsForm
        form={form}
        width={560}
        action={t('platform.balancer.submit')}
        actions={
          isOn && (
            <Button variant="default" loading={remove.isPending} onClick={() => remove.mutate()}>
              {t('platform.balancer.off')}
            </Button>
          )
        }
      >
        {fields.map((text, index) => (
          <TextInput
            // biome-ignore lint/suspicious/noArrayIndexKey: a field is its place
            key={index}
            size="md"
            label={t('platform.balancer.servers', { number: index + 1 })}
            autoComplete="off"
            spellCheck={false}
            value={text}
            onChange={(event) => form.edit({ backends: fields.with(index, event.currentTarget.value) })}
            error={errorOf(text, index)}
          />
        ))}
        <Text size="sm" c="dimmed">
          {t('platform.balancer.tip')} {hasEdges && !isOn && t('platform.edges.balancer')}
        </Text>
        {(isOn || hasEdges) && (
          <CopyField
            label={t('platform.balancer.link')}
            value={`${window.location.origin}${loadBalancerPath}/live/livestream.${isOn ? 'flv' : 'm3u8'}`}
          />
        )}
      </SettingsForm>
    </Section>
  );
}

const filledOf = (backends: readonly string[]) => backends.map((text) => text.trim()).filter((text) => text !== '');
const isBackend = (text: string) => Backend.safeParse(text).success;

function useRemoval(onRemoved: () => void) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => client.call(platformApi.removeBackends),
    onSuccess: async () => {
      await queries.invalidateQueries(backendsQuery);
      onRemoved();
      notify.success(t('platform.balancer.removed'));
    },
  });
}

interface Fields {
  readonly start: number;
  readonly end: number;
  readonly strategy: UpgradeStrategy;
}

const hours = Array.from({ length: 24 }, (_, hour) => ({
  value: String(hour),
  label: `${String(hour).padStart(2, '0')}:00`,
}));

/** Equal hours mean the whole day. */
const toWindow = ({ start, end }: Fields) => ({ start, duration: end - start + (start >= end ? 24 : 0) });

function WindowPanel() {
  const { t } = useTranslation();
  const query = useQuery(windowQuery);
  const { data } = query;
  const form = useSettingsForm<Fields>({
    saved: data
      ? { start: data.start, end: (data.start + data.duration) % 24, strategy: data.strategy }
      : { start: 0, end: 0, strategy: 'manual' },
    isKnown: data !== undefined,
    check: (fields) => (UpgradeWindow.safeParse(toWindow(fields)).success ? undefined : t('platform.window.invalid')),
    save: async (fields) => {
      await client.call(platformApi.updateWindow, toWindow(fields));
      await client.call(platformApi.strategy, { strategy: fields.strategy });
    },
    refresh: (queries) => queries.invalidateQueries(windowQuery),
    done: t('platform.window.ok'),
  });
  const select = (field: 'start' | 'end', label: string) => (
    <NativeSelect
      size="md"
      label={label}
      data={hours}
      disabled={!form.isKnown}
      value={String(form.value[field])}
      onChange={(event) => form.edit({ [field]: Number(event.currentTarget.value) })}
      error={field === 'end' ? form.problem : undefined}
    />
  );

  return (
    <Section
      isSplit
      title={t('platform.window.title')}
      help={t('platform.window.help')}
      state={
        query.failureCount > 0 || !data ? (
          <StaleChip {...query} />
        ) : (
          <StatusLabel
            tone={data.isOpen ? 'ok' : 'off'}
            word={data.isOpen ? t('platform.window.open') : t('platform.window.closed')}
          />
        )
      }
    >
      <SettingsForm form={form} width={432} action={t('platform.window.submit')}>
        <Group grow align="flex-start">
          {select('start', t('platform.window.start'))}
          {select('end', t('platform.window.end'))}
        </Group>
        <Checkbox
          label={t('platform.window.auto')}
          description={t('platform.window.autoEffect')}
          checked={form.value.strategy === 'auto'}
          disabled={!form.isKnown}
          onChange={(event) => form.edit({ strategy: event.currentTarget.checked ? 'auto' : 'manual' })}
        />
        <VersionLine />
      </SettingsForm>
    </Section>
  );
}

/** Result of the version check with the current settings. */
function VersionLine() {
  const { t } = useTranslation();
  const { data } = useQuery(statusQuery);
  if (!data) return null;
  const { version, stable, upgradeDue } = data;
  const text =
    version === stable
      ? t('platform.window.none', { version })
      : upgradeDue
        ? t('platform.window.due', { version, stable })
        : t('platform.window.waits', { version, stable });
  return (
    <Text size="sm" c="dimmed">
      {text}
    </Text>
  );
}

const setting = <E extends Endpoint>(name: string, endpoint: E) =>
  queryOptions({
    queryKey: ['platform', name],
    queryFn: ({ signal }) => client.call(endpoint, undefined, { signal }),
  });

const windowQuery = setting('window', platformApi.queryWindow);
const homepageQuery = setting('homepage', platformApi.queryHomepage);
const backendsQuery = setting('backends', platformApi.queryBackends);
const monthlyUseQuery = setting('hours', platformApi.queryLimit);
