import { Button, Checkbox, NativeSelect, Stack } from '@mantine/core';
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { bucketApi, cloudPollMs, type RecordBucket } from '@weir/contract';
import { useTranslation } from 'react-i18next';
import { BacklogNotice } from '../../../components/backlog-notice.tsx';
import { BucketFields } from '../../../components/bucket/bucket-fields.tsx';
import { type BucketProblem, findBucketProblem } from '../../../components/bucket/bucket-problem.ts';
import { BucketTestResult } from '../../../components/bucket/bucket-test-result.tsx';
import { SettingsForm } from '../../../components/settings-form/settings-form.tsx';
import { useSettingsForm } from '../../../components/settings-form/use-settings-form.ts';
import { PageSkeleton } from '../../../components/ui/feedback/page-skeleton.tsx';
import { StaleChip } from '../../../components/ui/feedback/stale-chip.tsx';
import { client } from '../../../lib/api.ts';
import { pollWhileSignedIn } from '../../../lib/queries/polling.ts';

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
            <BucketFields
              value={value}
              problem={problem}
              onEdit={edit}
              folder="recordings/"
              folderHelp={t('cloud.bucket.prefixHelp')}
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
