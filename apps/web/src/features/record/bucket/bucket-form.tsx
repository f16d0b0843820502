import { Button, Checkbox, Group, NativeSelect, PasswordInput, Stack, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { cloudApi, type RecordBucket } from '@weir/contract';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { PageSkeleton } from '../../../components/ui/feedback/page-skeleton.tsx';
import { StaleChip } from '../../../components/ui/feedback/stale-chip.tsx';
import { StatusLabel } from '../../../components/ui/feedback/status-label.tsx';
import { BacklogNotice } from '../../../components/uploads/backlog-notice.tsx';
import { client } from '../../../lib/api.ts';
import { useSave } from '../../../lib/use-save.ts';
import classes from './bucket.module.css';
import { type BucketField, type BucketProblem, bucketProblem } from './bucket-problem.ts';
import { bucketQuery } from './bucket-queries.ts';
import { BucketTestResult } from './bucket-test-result.tsx';

/** A bucket that finished recordings go to: the last part of what happens after a recording. */
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
    mutationFn: () => client.call(cloudApi.bucketRetry, {}),
    onSettled: () => queries.invalidateQueries(bucketQuery),
  });
  return <BacklogNotice backlog={backlog} onRetry={() => retry.mutate()} />;
}

function Fields({ saved }: { saved: RecordBucket }) {
  const { t } = useTranslation();
  // What was typed stands apart from what the server says, so that a late or repeated answer cannot overwrite it.
  const [draft, setDraft] = useState<Partial<RecordBucket>>({});
  const [problem, setProblem] = useState<BucketProblem>();
  const test = useMutation({ mutationFn: (next: RecordBucket) => client.call(cloudApi.bucketTest, next) });
  const save = useSave({
    query: bucketQuery,
    save: (next: RecordBucket) => client.call(cloudApi.bucketApply, next),
    done: t('helper.setOk'),
    onSaved: () => setDraft({}),
  });
  const value = { ...saved, ...draft };
  const isChanged = (Object.keys(draft) as (keyof RecordBucket)[]).some((name) => value[name] !== saved[name]);
  const edit = (change: Partial<RecordBucket>) => {
    setDraft({ ...draft, ...change });
    setProblem(undefined);
    test.reset();
  };
  const isReady = () => {
    const found = bucketProblem(value, saved);
    setProblem(found);
    return !found && !save.isPending && !test.isPending;
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    // Switched off, it needs no bucket; what was typed so far is not worth keeping then.
    if (value.enabled ? isReady() : !save.isPending) save.mutate(value.enabled ? value : { ...saved, enabled: false });
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
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
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
                // The mask is no key to add letters to: whoever goes there types a new one.
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
        <Group>
          <Button type="submit" loading={save.isPending}>
            {t('cloud.bucket.submit')}
          </Button>
          {value.enabled && (
            <Button variant="default" loading={test.isPending} onClick={() => isReady() && test.mutate(value)}>
              {t('cloud.bucket.test')}
            </Button>
          )}
          {isChanged && <StatusLabel tone="warn" word={t('helper.unsaved')} />}
        </Group>
        <div role="status">{test.data && value.enabled && <BucketTestResult result={test.data} />}</div>
      </Stack>
    </form>
  );
}
