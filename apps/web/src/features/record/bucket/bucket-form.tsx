import { Button, Checkbox, NativeSelect, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type BucketTest, bucketApi, cloudPollMs, type RecordBucket } from '@weir/contract';
import { useTranslation } from 'react-i18next';
import { BacklogNotice } from '../../../components/backlog-notice.tsx';
import { SettingsForm } from '../../../components/settings-form/settings-form.tsx';
import { useSettingsForm } from '../../../components/settings-form/use-settings-form.ts';
import { Notice } from '../../../components/ui/feedback/notice.tsx';
import { PageSkeleton } from '../../../components/ui/feedback/page-skeleton.tsx';
import { StaleChip } from '../../../components/ui/feedback/stale-chip.tsx';
import { client } from '../../../lib/api.ts';
import { pollWhileSignedIn } from '../../../lib/queries/polling.ts';
import classes from './bucket.module.css';
import { type BucketField, type BucketProblem, findBucketProblem } from './bucket-problem.ts';

const bucketQuery = queryOptions({
  queryKey: ['bucket'],
  queryFn: ({ signal }) => client.call(bucketApi.query, {}, { signal }),
  refetchInterval: pollWhileSignedIn(cloudPollMs),
});

export function BucketForm() {
  const query = useQuery(bucketQuery);
  if (!query.data) return query.failureCount > 0 ? <StaleChip {...query} /> : <PageSkeleton />;
  const { backlog, ...saved } = query.data;
  return (
    <Stack gap="md">
      <Backlog backlog={backlog} />
      <Fields saved={saved} />
    </Stack>
  );
}

function Backlog({ backlog }: Pick<Parameters<typeof BacklogNotice>[0], 'backlog'>) {
  const queries = useQueryClient();
  const retry = useMutation({
    mutationFn: () => client.call(bucketApi.retry, {}),
    onSettled: () => queries.invalidateQueries(bucketQuery),
  });
  return <BacklogNotice backlog={backlog} onRetry={() => retry.mutate()} />;
}

function Fields({ saved }: { saved: RecordBucket }) {
  const { t } = useTranslation();
  const test = useMutation({ mutationFn: (next: RecordBucket) => client.call(bucketApi.test, next) });
  const form = useSettingsForm<RecordBucket, BucketProblem>({
    saved,
    // A disabled upload needs no bucket, so the fields are not checked.
    check: (next) => (next.enabled ? findBucketProblem(next, saved) : undefined),
    save: (next) => client.call(bucketApi.apply, next.enabled ? next : { ...saved, enabled: false }),
    refresh: (queries) => queries.invalidateQueries(bucketQuery),
    done: t('helper.setOk'),
    isBlocked: test.isPending,
    onEdit: test.reset,
  });
  const { value, edit, problem } = form;
  const tryOut = () => {
    if (form.check() && !form.isSaving && !test.isPending) test.mutate(value);
  };
  const input = (name: BucketField) => ({
    size: 'md',
    label: t(`cloud.bucket.${name}`),
    description: t(`cloud.bucket.${name}Help`),
    autoComplete: 'off',
    spellCheck: false,
    value: value[name],
    error: problem?.field === name ? t(`cloud.bucket.${problem.text}`) : undefined,
    onChange: (event: { currentTarget: { value: string } }) => edit({ [name]: event.currentTarget.value.trim() }),
  });
  return (
    <Stack gap="md">
      <SettingsForm
        form={form}
        action={t('cloud.bucket.submit')}
        actions={
          value.enabled && (
            <Button variant="default" loading={test.isPending} onClick={tryOut}>
              {t('cloud.bucket.test')}
            </Button>
          )
        }
      >
        <Checkbox
          label={t('cloud.bucket.enabled')}
          description={t('cloud.bucket.enabledHelp')}
          checked={value.enabled}
          onChange={(event) => edit({ enabled: event.currentTarget.checked })}
        />
        {value.enabled && (
          <>
            <TextInput {...input('endpoint')} placeholder="https://example.com:9000" inputMode="url" />
            <div className={classes.pair}>
              <TextInput {...input('bucket')} />
              <TextInput {...input('region')} placeholder="us-east-1" />
              <TextInput {...input('accessKeyId')} data-1p-ignore />
              <PasswordInput
                {...input('secretAccessKey')}
                data-1p-ignore
                visibilityToggleButtonProps={{ 'aria-label': t('helper.reveal') }}
                // Selects the mask, so that typing replaces it.
                onFocus={(event) => event.currentTarget.select()}
              />
            </div>
            <TextInput {...input('prefix')} placeholder="recordings/" />
            <Checkbox
              label={t('cloud.bucket.pathStyle')}
              description={t('cloud.bucket.pathStyleHelp')}
              checked={value.pathStyle}
              onChange={(event) => edit({ pathStyle: event.currentTarget.checked })}
            />
            <NativeSelect
              size="md"
              label={t('cloud.bucket.local')}
              description={t(value.keepLocal ? 'cloud.bucket.keepHelp' : 'cloud.bucket.removeHelp')}
              value={value.keepLocal ? 'keep' : 'remove'}
              data={[
                { value: 'keep', label: t('cloud.bucket.keep') },
                { value: 'remove', label: t('cloud.bucket.remove') },
              ]}
              onChange={(event) => edit({ keepLocal: event.currentTarget.value === 'keep' })}
            />
          </>
        )}
      </SettingsForm>
      <div role="status">{test.data && value.enabled && <BucketTestResult result={test.data} />}</div>
    </Stack>
  );
}

function BucketTestResult({ result: { step, failure, error } }: { result: BucketTest }) {
  const { t } = useTranslation();
  if (step === '' || failure === '') return <Notice tone="info" title={t('cloud.bucket.testOk')} />;
  return (
    <div role="alert">
      <Notice tone="bad" title={t(`cloud.bucket.testFailed.${step}`)}>
        <Text size="sm">{t(`cloud.failure.${failure}`)}</Text>
        <Text size="xs" c="dimmed">
          {error}
        </Text>
      </Notice>
    </div>
  );
}
