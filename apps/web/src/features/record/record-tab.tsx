import { Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { RecordSettings } from '@weir/contract';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { PageSkeleton } from '../../components/ui/feedback/page-skeleton.tsx';
import { StaleChip } from '../../components/ui/feedback/stale-chip.tsx';
import { StatusLabel } from '../../components/ui/feedback/status-label.tsx';
import { Accordion, type AccordionItem } from '../../components/ui/layout/accordion.tsx';
import { BucketForm } from './bucket/bucket-form.tsx';
import { EnablePanel, RecordSwitch } from './enable-panel.tsx';
import { PostProcessForm } from './finish/post-process-form.tsx';
import { SubtitlesChoice } from './finish/subtitles-choice.tsx';
import { GlobsForm } from './globs/globs-form.tsx';
import { RecordIntroduction } from './introduction.tsx';
import { Library } from './library/library.tsx';
import { recordingsQuery, recordQuery } from './record-queries.ts';
import { DirectoryPanel } from './storage/directory-panel.tsx';
import { StorageAlarm } from './storage/storage-alarm.tsx';
import { StorageFacts } from './storage/storage-facts.tsx';
import { StorageForm } from './storage/storage-form.tsx';

/** What is recorded and how, and everything that was. */
export function RecordTab() {
  const settings = useQuery(recordQuery);
  if (!settings.data && settings.failureCount === 0) return <PageSkeleton />;
  if (!settings.data) return <StaleChip {...settings} />;
  return (
    <>
      <StorageAlarm storage={settings.data.storage} />
      <Panels settings={settings.data} stale={settings.failureCount > 0 && <StaleChip {...settings} />} />
    </>
  );
}

function Panels({ settings, stale }: { settings: RecordSettings; stale: ReactNode }) {
  const { t } = useTranslation();
  const list = useListItem(settings);
  const states = useStates(settings);
  return (
    <Accordion
      initial={settings.all ? '4' : '3'}
      items={[
        {
          key: '3',
          title: t('record.enable'),
          help: t('record.enableHelp'),
          state: stale || states.enable,
          action: <RecordSwitch isOn={settings.all} />,
          content: <EnablePanel settings={settings} />,
        },
        list,
        {
          key: '2',
          title: t('record.rule'),
          help: t('record.ruleHelp'),
          state: states.rule,
          content: (
            <Stack gap="xl" maw={760}>
              <GlobsForm settings={settings} />
              <SubtitlesChoice settings={settings} />
              <PostProcessForm settings={settings} />
              <BucketForm />
            </Stack>
          ),
        },
        {
          key: '5',
          title: t('record.storage.title'),
          help: t('record.storage.help'),
          state: states.storage,
          content: (
            <Stack gap="lg" maw={760}>
              <StorageFacts storage={settings.storage} />
              <StorageForm settings={settings} />
            </Stack>
          ),
        },
        {
          key: '1',
          title: t('record.dir'),
          help: t('record.dirHelp'),
          content: <DirectoryPanel home={settings.home} />,
        },
        { key: '0', title: t('record.intro.title'), content: <RecordIntroduction /> },
      ]}
    />
  );
}

function useStates({ all, globs, storage }: RecordSettings) {
  const { t } = useTranslation();
  const tones = { ok: 'ok', deleting: 'warn', stopped: 'bad', failing: 'bad' } as const;
  return {
    rule: (
      <Text size="sm" c="dimmed">
        {globs.length === 0 ? t('record.ruleAll') : t('record.ruleSome', { count: globs.length })}
      </Text>
    ),
    enable: <StatusLabel tone={all ? 'ok' : 'off'} word={all ? t('record.on') : t('record.off')} />,
    storage: <StatusLabel tone={tones[storage.state]} word={t(`record.storage.state.${storage.state}`)} />,
  };
}

function useListItem({ all }: RecordSettings): AccordionItem {
  const { t } = useTranslation();
  const query = useQuery(recordingsQuery);
  const running = query.data?.filter(({ state }) => state === 'recording').length ?? 0;
  const state =
    query.failureCount > 0 ? (
      <StaleChip {...query} />
    ) : running > 0 ? (
      <StatusLabel tone="recording" word={t('record.library.running', { count: running })} tinted />
    ) : (
      <Text size="sm" c="dimmed">
        {t('record.library.count', { count: query.data?.length ?? 0 })}
      </Text>
    );
  return {
    key: '4',
    title: t('record.task'),
    help: t('record.tip'),
    state: query.data || query.failureCount > 0 ? state : undefined,
    content: query.data ? <Library recordings={query.data} isOn={all} /> : <PageSkeleton />,
  };
}
