import { Checkbox, Group, NativeSelect, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { platformApi, type UpgradeStrategy, UpgradeWindow } from '@weir/contract';
import { useTranslation } from 'react-i18next';
import { SettingsForm } from '../../components/settings-form/settings-form.tsx';
import { useSettingsForm } from '../../components/settings-form/use-settings-form.ts';
import { StaleChip } from '../../components/ui/feedback/stale-chip.tsx';
import { StatusLabel } from '../../components/ui/feedback/status-label.tsx';
import { Section } from '../../components/ui/layout/section.tsx';
import { client } from '../../lib/api.ts';
import { statusQuery } from '../../lib/queries/system-queries.ts';
import { windowQuery } from './platform-queries.ts';

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

export function WindowPanel() {
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
