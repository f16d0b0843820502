import { Button, Checkbox, NativeSelect, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import {
  type BackupSettings,
  type BackupStatus,
  type BackupTest,
  backupApi,
  backupDestinations,
  backupSchedules,
} from '@weir/contract';
import { useTranslation } from 'react-i18next';
import { BucketFields } from '../../components/bucket/bucket-fields.tsx';
import { type BucketProblem, findBucketProblem } from '../../components/bucket/bucket-problem.ts';
import { BucketTestResult } from '../../components/bucket/bucket-test-result.tsx';
import { SettingsForm } from '../../components/settings-form/settings-form.tsx';
import { useSettingsForm } from '../../components/settings-form/use-settings-form.ts';
import { Notice } from '../../components/ui/feedback/notice.tsx';
import { client } from '../../lib/api.ts';
import { useLocale } from '../../lib/i18n.ts';
import classes from './backup.module.css';
import { backupQuery } from './backup-queries.ts';

type Problem = BucketProblem | { readonly field: 'time' };

const keepChoices = [1, 3, 7, 14, 30, 90, 365];

function findProblem(next: BackupSettings, saved: BackupSettings): Problem | undefined {
  if (!/^(?:[01]\d|2[0-3]):[0-5]\d$/.test(next.time)) return { field: 'time' };
  return next.destination === 'bucket' ? findBucketProblem(next.bucket, saved.bucket) : undefined;
}

export function ScheduleForm({ status: { settings: saved, directory } }: { status: BackupStatus }) {
  const { t } = useTranslation();
  const locale = useLocale();
  const test = useMutation({ mutationFn: (next: BackupSettings) => client.call(backupApi.test, next) });
  const form = useSettingsForm<BackupSettings, Problem>({
    saved,
    check: (next) => findProblem(next, saved),
    save: (next) => client.call(backupApi.apply, next),
    refresh: (queries) => queries.invalidateQueries(backupQuery),
    done: t('helper.setOk'),
    isBlocked: test.isPending,
    onEdit: test.reset,
  });
  const { value, edit, problem } = form;
  const tryOut = () => {
    if (form.check() && !form.isSaving && !test.isPending) test.mutate(value);
  };
  return (
    <SettingsForm
      form={form}
      action={t('backup.schedule.save')}
      actions={
        <Button variant="default" loading={test.isPending} onClick={tryOut}>
          {t('backup.schedule.test')}
        </Button>
      }
    >
      <div className={classes.times}>
        <NativeSelect
          size="md"
          label={t('backup.schedule.when')}
          value={value.schedule}
          data={backupSchedules.map((each) => ({ value: each, label: t(`backup.schedule.${each}`) }))}
          onChange={({ currentTarget }) =>
            edit({ schedule: backupSchedules.find((each) => each === currentTarget.value) ?? 'off' })
          }
        />
        {value.schedule === 'weekly' && (
          <NativeSelect
            size="md"
            label={t('backup.schedule.weekday')}
            value={String(value.weekday)}
            data={weekDays(locale)}
            onChange={({ currentTarget }) => edit({ weekday: Number(currentTarget.value) })}
          />
        )}
        {value.schedule !== 'off' && (
          <TextInput
            size="md"
            type="time"
            label={t('backup.schedule.time')}
            value={value.time}
            error={problem?.field === 'time' && t('backup.schedule.timeInvalid')}
            onChange={({ currentTarget }) => edit({ time: currentTarget.value })}
          />
        )}
      </div>
      <NativeSelect
        size="md"
        label={t('backup.schedule.destination')}
        description={value.destination === 'directory' ? t('backup.schedule.directoryHelp', { directory }) : undefined}
        value={value.destination}
        data={backupDestinations.map((each) => ({ value: each, label: t(`backup.schedule.${each}`) }))}
        onChange={({ currentTarget }) =>
          edit({ destination: backupDestinations.find((each) => each === currentTarget.value) ?? 'directory' })
        }
      />
      {value.destination === 'bucket' && (
        <BucketFields
          value={value.bucket}
          problem={problem && 'text' in problem ? problem : undefined}
          onEdit={(change) => edit({ bucket: { ...value.bucket, ...change } })}
          folder="backups/"
          folderHelp={t('backup.schedule.folderHelp')}
        />
      )}
      <NativeSelect
        size="md"
        label={t('backup.schedule.keep')}
        description={t('backup.schedule.keepHelp')}
        value={String(value.keep)}
        data={[...new Set([...keepChoices, value.keep])].sort((a, b) => a - b).map(String)}
        onChange={({ currentTarget }) => edit({ keep: Number(currentTarget.value) })}
      />
      <Checkbox
        label={t('backup.schedule.recordings')}
        description={t('backup.schedule.recordingsHelp')}
        checked={value.recordings}
        onChange={({ currentTarget }) => edit({ recordings: currentTarget.checked })}
      />
      <div role="status">
        {test.data && <TestResult result={test.data} isBucket={value.destination === 'bucket'} />}
      </div>
    </SettingsForm>
  );
}

function TestResult({ result, isBucket }: { result: BackupTest; isBucket: boolean }) {
  const { t } = useTranslation();
  const { step, failure, error } = result;
  if (isBucket && failure !== 'directory') return <BucketTestResult result={{ step, failure, error }} />;
  if (step === '') return <Notice tone="info" title={t('backup.schedule.testOk')} />;
  return (
    <div role="alert">
      <Notice tone="bad" title={t('backup.failure.directory')}>
        <Text size="xs" c="dimmed">
          {error}
        </Text>
      </Notice>
    </div>
  );
}

/** Monday first in lists of days; the values are those of the calendar. */
function weekDays(locale: string): { value: string; label: string }[] {
  const format = new Intl.DateTimeFormat(locale, { weekday: 'long', timeZone: 'UTC' });
  // 4 January 1970 was a Sunday.
  return [1, 2, 3, 4, 5, 6, 0].map((day) => ({
    value: String(day),
    label: format.format(Date.UTC(1970, 0, 4 + day)),
  }));
}
