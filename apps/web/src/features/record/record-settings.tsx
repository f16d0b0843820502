import { Checkbox, Group, NativeSelect, Progress, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { ApiError } from '@weir/client';
import {
  defaultCopyDirectory,
  postProcessCopy,
  type RecordSettings,
  type RecordStorage,
  recordApi,
  recordLimits,
  sourceQuality,
  storageLimitActions,
} from '@weir/contract';
import { segmentFormatNames } from '@weir/streams';
import { useTranslation } from 'react-i18next';
import { formatNumber } from '../../components/figures/format-figures.ts';
import { SettingsForm } from '../../components/settings-form/settings-form.tsx';
import { useSettingsForm } from '../../components/settings-form/use-settings-form.ts';
import { streamsQuery } from '../../components/streams/streams-queries.ts';
import { StatusLabel } from '../../components/ui/feedback/status-label.tsx';
import { CopyField } from '../../components/ui/fields/copy-field.tsx';
import { FormStep, FormSteps } from '../../components/ui/fields/form-step.tsx';
import { Accordion } from '../../components/ui/layout/accordion.tsx';
import { PagePart } from '../../components/ui/layout/page-part.tsx';
import { useAskedPanel } from '../../components/ui/layout/use-asked-panel.ts';
import { client } from '../../lib/api.ts';
import { formatBytes } from '../../lib/format.ts';
import { useLocale } from '../../lib/i18n.ts';
import { notify } from '../../lib/notify.ts';
import { useEngineLacks } from '../../lib/queries/use-engine-lacks.ts';
import { BucketForm } from './bucket/bucket-form.tsx';
import { GlobsForm } from './globs-form.tsx';
import classes from './record.module.css';
import { recordQuery } from './record-queries.ts';
import {
  type AmountField,
  invalidAmounts,
  parseStorageRule,
  type StorageFields,
  toStorageFields,
} from './storage-fields.ts';

const panels = ['1', '2', '5'] as const;

/** Settings of recording and storage in closed sections whose summaries show their state. */
export function RecordSettingsPanels({ settings }: { settings: RecordSettings }) {
  const { t } = useTranslation();
  const { globs, storage, home } = settings;
  const asked = useAskedPanel(panels);
  const space = useSpace(storage);
  const tones = { ok: 'ok', deleting: 'warn', stopped: 'bad', failing: 'bad' } as const;
  const dimmed = (text: string) => (
    <Text size="sm" c="dimmed">
      {text}
    </Text>
  );
  return (
    <PagePart title={t('record.settings')}>
      <Accordion
        isLinked
        initial={asked ? [asked.key] : []}
        asked={asked}
        items={[
          {
            key: '2',
            title: t('record.rule'),
            help: t('record.ruleHelp'),
            state: dimmed(globs.length === 0 ? t('record.ruleAll') : t('record.ruleSome', { count: globs.length })),
            content: (
              <FormSteps>
                <FormStep title={t('record.step.streams')} help={t('record.step.streamsHelp')}>
                  <GlobsForm settings={settings} />
                </FormStep>
                <FormStep title={t('record.step.format')} help={t('record.step.formatHelp')}>
                  <RecordedQualities settings={settings} />
                  <SegmentFormatChoice settings={settings} />
                  <SubtitlesChoice settings={settings} />
                </FormStep>
                <FormStep title={t('record.step.finished')} help={t('record.step.finishedHelp')}>
                  <PostProcessForm settings={settings} />
                </FormStep>
                <FormStep title={t('record.step.upload')} help={t('record.step.uploadHelp')}>
                  <BucketForm />
                </FormStep>
              </FormSteps>
            ),
          },
          {
            key: '5',
            title: t('record.storage.title'),
            help: t('record.storage.help'),
            state:
              storage.state === 'ok' ? (
                dimmed(space)
              ) : (
                <StatusLabel tone={tones[storage.state]} word={t(`record.storage.state.${storage.state}`)} />
              ),
            content: (
              <Stack gap="lg" maw={760}>
                <StorageFacts storage={storage} />
                <StorageForm settings={settings} />
              </Stack>
            ),
          },
          {
            key: '1',
            title: t('record.dir'),
            help: t('record.dirHelp'),
            state: dimmed(home),
            content: <DirectoryPanel home={home} />,
          },
        ]}
      />
    </PagePart>
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

function useSpace({ usedBytes, freeBytes }: RecordStorage): string {
  const { t } = useTranslation();
  const locale = useLocale();
  return t('record.storage.space', { used: formatBytes(usedBytes, locale), free: formatBytes(freeBytes, locale) });
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

/** Space for recordings, their retention, and the action at the limit. */
function StorageForm({ settings }: { settings: RecordSettings }) {
  const { t } = useTranslation();
  const locale = useLocale();
  const form = useSettingsForm<StorageFields, readonly AmountField[]>({
    saved: toStorageFields(settings.rule),
    check: (fields) => {
      const wrong = invalidAmounts(fields);
      return wrong.length > 0 ? wrong : undefined;
    },
    save: (fields) => client.call(recordApi.storage, parseStorageRule(fields)),
    refresh: (queries) => queries.invalidateQueries(recordQuery),
    done: t('record.setupOk'),
  });
  const { value, edit } = form;
  const field = (name: AmountField, unit: string, placeholder: string) => (
    <TextInput
      size="md"
      label={t(`record.storage.${name}`)}
      description={t(`record.storage.${name}Tip`)}
      inputMode="decimal"
      placeholder={placeholder}
      rightSection={
        <Text size="sm" c="dimmed">
          {unit}
        </Text>
      }
      rightSectionWidth={56}
      value={value[name]}
      error={
        form.problem?.includes(name) && t(name === 'keepDays' ? 'record.storage.badDays' : 'record.storage.badSize')
      }
      onChange={(event) => edit({ [name]: event.currentTarget.value })}
    />
  );
  const none = t('record.storage.none');
  return (
    <SettingsForm form={form} action={t('record.storage.submit')}>
      <div className={classes.pair}>
        {field('floor', 'GB', formatNumber(settings.storage.floorBytes / 1e9, locale, 1))}
        {field('quota', 'GB', none)}
        {field('keepDays', t('record.storage.days'), none)}
        {field('keep', 'GB', none)}
      </div>
      <NativeSelect
        size="md"
        label={t('record.storage.atLimit')}
        description={t(`record.storage.atLimitTip.${value.atLimit}`)}
        value={value.atLimit}
        data={storageLimitActions.map((choice) => ({ value: choice, label: t(`record.storage.choice.${choice}`) }))}
        onChange={(event) =>
          edit({ atLimit: storageLimitActions.find((one) => one === event.currentTarget.value) ?? 'stop' })
        }
      />
      <Checkbox
        label={t('record.storage.keepSegments')}
        description={t('record.storage.keepSegmentsTip')}
        checked={value.keepSegments}
        onChange={(event) => edit({ keepSegments: event.currentTarget.checked })}
      />
    </SettingsForm>
  );
}

/** `none` is sent as a copy without a directory. */
type Choice = 'none' | typeof postProcessCopy;

interface Fields {
  readonly choice: Choice;
  readonly directory: string;
}

function PostProcessForm({ settings }: { settings: RecordSettings }) {
  const { t } = useTranslation();
  const saved: Fields = {
    choice: settings.processCpDir === '' ? 'none' : postProcessCopy,
    directory: settings.processCpDir || defaultCopyDirectory,
  };
  const form = useSettingsForm<Fields, 'directory'>({
    saved,
    check: ({ choice, directory }) => (choice === postProcessCopy && directory.trim() === '' ? 'directory' : undefined),
    save: ({ choice, directory }) =>
      client.call(recordApi.postProcessing, {
        postProcess: postProcessCopy,
        postCpDir: choice === postProcessCopy ? directory.trim() : '',
      }),
    // The field shows a refused directory; other errors show above the page.
    handles: isRefusal,
    refresh: (queries) => queries.invalidateQueries(recordQuery),
    done: t('record.setupOk'),
  });
  const { choice, directory } = form.value;
  const reason = isRefusal(form.refusal) ? form.refusal.message : undefined;
  return (
    <SettingsForm form={form} action={t('record.savePost')}>
      <NativeSelect
        size="md"
        label={t('record.post')}
        description={t('record.postHelp')}
        value={choice}
        data={[
          { value: 'none', label: t('record.postNone') },
          { value: postProcessCopy, label: t('record.postCp') },
        ]}
        onChange={(event) => form.edit({ choice: parseChoice(event.currentTarget.value) })}
      />
      {choice === postProcessCopy && (
        <TextInput
          size="md"
          label={t('record.postCpDir')}
          description={t('record.postCpDirHelp')}
          placeholder={defaultCopyDirectory}
          error={
            form.problem === 'directory' ? t('record.postCpEmpty') : reason && t('record.postCpRefused', { reason })
          }
          spellCheck={false}
          maxLength={recordLimits.pathCharacters}
          value={directory}
          onChange={(event) => form.edit({ directory: event.currentTarget.value })}
        />
      )}
    </SettingsForm>
  );
}

function parseChoice(value: string): Choice {
  return value === postProcessCopy ? value : 'none';
}

function isRefusal(error: unknown): error is ApiError {
  return error instanceof ApiError && error.status === 422;
}

/** Container of recorded segments. Saved at once; a recording in progress keeps its own. */
function SegmentFormatChoice({ settings }: { settings: RecordSettings }) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const isFixed = useEngineLacks('hls-settings');
  const save = useMutation({
    mutationFn: (segmentFormat: RecordSettings['segmentFormat']) =>
      client.call(recordApi.segmentFormat, { segmentFormat }),
    onSuccess: async () => {
      await queries.invalidateQueries(recordQuery);
      notify.success(t('record.setupOk'));
    },
  });
  return (
    <NativeSelect
      size="md"
      label={t('record.segmentFormat')}
      description={t(isFixed ? 'record.segmentFormatFixed' : 'record.segmentFormatHelp')}
      value={save.isPending ? save.variables : settings.segmentFormat}
      disabled={save.isPending || isFixed}
      data={segmentFormatNames.map((name) => ({ value: name, label: t(`record.segmentFormats.${name}`) }))}
      onChange={(event) => save.mutate(event.currentTarget.value === 'fmp4' ? 'fmp4' : 'mpegts')}
    />
  );
}

/** Adds subtitles to finished files. Saved at once, because it can be undone at any time. */
function SubtitlesChoice({ settings }: { settings: RecordSettings }) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const save = useMutation({
    mutationFn: (subtitles: boolean) => client.call(recordApi.subtitles, { subtitles }),
    onSuccess: async () => {
      await queries.invalidateQueries(recordQuery);
      notify.success(t('record.setupOk'));
    },
  });
  return (
    <Checkbox
      size="md"
      label={t('record.subtitles')}
      description={t('record.subtitlesHelp')}
      checked={save.isPending ? save.variables : settings.subtitles}
      disabled={save.isPending}
      onChange={(event) => save.mutate(event.currentTarget.checked)}
    />
  );
}

const usualQualities = ['1080p', '720p', '480p', '360p', '240p'];

/** Qualities that are recorded. Saved at once, like the other choices of files. */
function RecordedQualities({ settings }: { settings: RecordSettings }) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const { data } = useQuery(streamsQuery);
  const isSourceOnly = useEngineLacks('hls-settings');
  const save = useMutation({
    mutationFn: (qualities: string[]) => client.call(recordApi.qualities, { qualities }),
    onSuccess: async () => {
      await queries.invalidateQueries(recordQuery);
      notify.success(t('record.setupOk'));
    },
  });
  const chosen = save.isPending ? save.variables : settings.qualities;
  const live = data?.streams.flatMap(({ media }) => media?.qualities?.map(({ name }) => name) ?? []) ?? [];
  const named = [...usualQualities, ...live, ...chosen.filter((name) => name !== sourceQuality)];
  const names = [...new Set(named)].sort((a, b) => Number.parseInt(b, 10) - Number.parseInt(a, 10));
  const isFull = chosen.length >= recordLimits.qualities;
  const isLocked = (name: string) => (chosen.includes(name) ? chosen.length === 1 : isFull);
  return (
    <Checkbox.Group
      size="md"
      label={t('record.qualities')}
      description={t(isSourceOnly ? 'record.qualitiesFixed' : 'record.qualitiesHelp')}
      value={chosen}
      onChange={(next) => save.mutate(next)}
    >
      <Group gap="lg" mt="xs">
        {[sourceQuality, ...names].map((name) => (
          <Checkbox
            key={name}
            value={name}
            label={name === sourceQuality ? t('record.qualitySource') : name}
            disabled={save.isPending || isSourceOnly || isLocked(name)}
          />
        ))}
      </Group>
    </Checkbox.Group>
  );
}
