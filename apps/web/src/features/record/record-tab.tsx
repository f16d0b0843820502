import { Button, Progress, Stack, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type RecordSettings, type RecordStorage, recordApi } from '@weir/contract';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Answers } from '../../components/ui/facts/answers.tsx';
import { Moment } from '../../components/ui/facts/moment.tsx';
import { Notice } from '../../components/ui/feedback/notice.tsx';
import { PageSkeleton } from '../../components/ui/feedback/page-skeleton.tsx';
import { StaleChip } from '../../components/ui/feedback/stale-chip.tsx';
import { StatusLabel } from '../../components/ui/feedback/status-label.tsx';
import { CopyField } from '../../components/ui/fields/copy-field.tsx';
import { Accordion, type AccordionItem } from '../../components/ui/layout/accordion.tsx';
import { client } from '../../lib/api.ts';
import { formatBytes } from '../../lib/format.ts';
import { useLocale } from '../../lib/i18n.ts';
import { notify } from '../../lib/notify.ts';
import { BucketForm } from './bucket/bucket-form.tsx';
import { GlobMatches, GlobsForm } from './globs-form.tsx';
import { Library } from './library/library.tsx';
import { PostProcessForm, SegmentFormatChoice, SubtitlesChoice } from './post-process-form.tsx';
import classes from './record.module.css';
import { recordingsQuery, recordKey, recordQuery } from './record-queries.ts';
import { StorageForm } from './storage-form.tsx';

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
              <SegmentFormatChoice settings={settings} />
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

/** Starts and stops recording. The button shows the server's state, not the requested one. */
function RecordSwitch({ isOn }: { isOn: boolean }) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const apply = useMutation({
    mutationFn: (all: boolean) => client.call(recordApi.apply, { all }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: recordKey });
      notify.success(t('record.setupOk'));
    },
  });
  return (
    <Button variant={isOn ? 'default' : 'filled'} loading={apply.isPending} onClick={() => apply.mutate(!isOn)}>
      {isOn ? t('record.stop') : t('record.start')}
    </Button>
  );
}

/** Explains the switch and lists the live streams it affects. */
function EnablePanel({ settings: { all, globs } }: { settings: RecordSettings }) {
  const { t } = useTranslation();
  const count = globs.length;
  return (
    <Stack gap="md" maw={760}>
      <Text size="sm">
        {count === 0 ? t('record.enableAll') : t('record.enableSome', { count })}{' '}
        {all ? t('record.stopTip') : t('record.startTip')}
      </Text>
      <GlobMatches lines={globs} isInForce={all} />
    </Stack>
  );
}

const questions = ['what', 'how', 'end', 'full'] as const;

function RecordIntroduction() {
  const { t } = useTranslation();
  return (
    <Answers
      answers={questions.map((question) => [t(`record.intro.${question}`), t(`record.introText.${question}`)] as const)}
    />
  );
}

function DirectoryPanel({ home }: { home: string }) {
  const { t } = useTranslation();
  return (
    <Stack gap="md" maw={760}>
      <CopyField label={t('record.dirPath')} value={home} />
      <div>
        <Text size="sm" fw={600}>
          {t('record.dirMove')}
        </Text>
        <Text size="sm">{t('record.dirMoveText', { home })}</Text>
      </div>
    </Stack>
  );
}

/** Announced at once, because a missed recording cannot be made up for. */
function StorageAlarm({ storage: { state, limit, since } }: { storage: RecordStorage }) {
  const { t } = useTranslation();
  return (
    <div role="alert" className={classes.alarm}>
      {state !== 'ok' && (
        <Notice tone={state === 'deleting' ? 'warn' : 'bad'} title={t(`record.alarm.${state}`)}>
          {limit !== '' && <p>{t(`record.alarmText.${limit}`)}</p>}
          {since !== '' && (
            <p>
              {t('record.alarmSince')} <Moment at={since} />
            </p>
          )}
        </Notice>
      )}
    </div>
  );
}

function StorageFacts({ storage }: { storage: RecordStorage }) {
  const { t } = useTranslation();
  const locale = useLocale();
  const { usedBytes, freeBytes, totalBytes, bytesPerDay, deleted } = storage;
  const size = (bytes: number) => formatBytes(bytes, locale);
  const percent = (bytes: number) => (totalBytes > 0 ? (Math.max(0, bytes) / totalBytes) * 100 : 0);
  const lines = [
    ...(bytesPerDay > 0 ? [t('record.storage.pace', { size: size(bytesPerDay) })] : []),
    ...(deleted > 0 ? [t('record.storage.deleted', { count: deleted })] : []),
  ];
  return (
    <div className={classes.room}>
      <p className={classes.forecast}>{useForecast(storage)}</p>
      <Progress.Root size="lg">
        <Progress.Section value={percent(usedBytes)} color="water" aria-label={t('record.storage.used')} />
        <Progress.Section
          value={percent(totalBytes - freeBytes - usedBytes)}
          color="gray.5"
          aria-label={t('record.storage.other')}
        />
      </Progress.Root>
      <Text size="sm" c="dimmed">
        {[
          t('record.storage.usedOf', { used: size(usedBytes), free: size(freeBytes), total: size(totalBytes) }),
          ...lines,
        ].join(' ')}
      </Text>
    </div>
  );
}

function useForecast({ fullInDays }: RecordStorage): string {
  const { t } = useTranslation();
  if (fullInDays === null) return t('record.storage.enough');
  return fullInDays < 1 ? t('record.storage.fullToday') : t('record.storage.fullIn', { count: Math.floor(fullInDays) });
}
