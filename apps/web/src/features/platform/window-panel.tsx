import { Button, Checkbox, Group, NativeSelect, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { platformApi, type UpgradeStrategy, UpgradeWindow } from '@weir/contract';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { StaleChip } from '../../components/ui/feedback/stale-chip.tsx';
import { StatusLabel } from '../../components/ui/feedback/status-label.tsx';
import { Section } from '../../components/ui/layout/section.tsx';
import { client } from '../../lib/api.ts';
import { statusQuery } from '../../lib/queries/system-queries.ts';
import { useSave } from '../../lib/use-save.ts';
import { windowQuery } from './platform-queries.ts';

interface Draft {
  readonly start: number;
  readonly end: number;
  readonly strategy: UpgradeStrategy;
}

const hours = Array.from({ length: 24 }, (_, hour) => ({
  value: String(hour),
  label: `${String(hour).padStart(2, '0')}:00`,
}));

/** The same hour at both ends means the whole day. */
const durationOf = ({ start, end }: Draft) => end - start + (start >= end ? 24 : 0);

export function WindowPanel() {
  const { t } = useTranslation();
  const query = useQuery(windowQuery);
  const [draft, setDraft] = useState<Partial<Draft>>({});
  const [isInvalid, setIsInvalid] = useState(false);
  const save = useSave<UpgradeWindow & { strategy: UpgradeStrategy }>({
    query: windowQuery,
    save: async ({ strategy, ...window }) => {
      await client.call(platformApi.updateWindow, window);
      await client.call(platformApi.strategy, { strategy });
    },
    done: t('platform.window.ok'),
    onSaved: () => setDraft({}),
  });
  const { data } = query;
  const saved: Draft | undefined = data && {
    start: data.start,
    end: (data.start + data.duration) % 24,
    strategy: data.strategy,
  };
  const shown: Draft = { start: 0, end: 0, strategy: 'manual', ...saved, ...draft };
  const edit = (change: Partial<Draft>) => {
    setDraft({ ...draft, ...change });
    setIsInvalid(false);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const window = { start: shown.start, duration: durationOf(shown) };
    const isGood = UpgradeWindow.safeParse(window).success;
    setIsInvalid(!isGood);
    if (isGood && !save.isPending) save.mutate({ ...window, strategy: shown.strategy });
  };
  const select = (field: 'start' | 'end', label: string) => (
    <NativeSelect
      size="md"
      label={label}
      data={hours}
      disabled={!saved}
      value={String(shown[field])}
      onChange={(event) => edit({ [field]: Number(event.currentTarget.value) })}
      error={isInvalid && field === 'end' ? t('platform.window.invalid') : undefined}
    />
  );

  return (
    <Section
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
      <form onSubmit={submit}>
        <Stack gap="md" maw={432}>
          <Group grow align="flex-start">
            {select('start', t('platform.window.start'))}
            {select('end', t('platform.window.end'))}
          </Group>
          <Checkbox
            label={t('platform.window.auto')}
            description={t('platform.window.autoEffect')}
            checked={shown.strategy === 'auto'}
            disabled={!saved}
            onChange={(event) => edit({ strategy: event.currentTarget.checked ? 'auto' : 'manual' })}
          />
          <VersionLine />
          <Group>
            <Button type="submit" loading={save.isPending} disabled={!saved}>
              {t('platform.window.submit')}
            </Button>
            {Object.keys(draft).length > 0 && <StatusLabel tone="warn" word={t('helper.unsaved')} />}
          </Group>
        </Stack>
      </form>
    </Section>
  );
}

/** What the version check says, with the window and the choice above taken into account. */
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
