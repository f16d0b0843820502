import { Button, Group, Progress, Stack, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { ApiError } from '@weir/client';
import { type DownloadState, sourceApi, videoUrlProblem } from '@weir/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { client, isTransient } from '../../lib/api.ts';
import { formatBytes } from '../../lib/format.ts';
import { useLocale } from '../../lib/i18n.ts';
import { formatBitrate } from '../figures/format-figures.ts';
import { StatusLabel } from '../ui/feedback/status-label.tsx';
import { type SourceFormProps, toSourceRef } from './source-form.ts';
import { downloadsQuery } from './source-queries.ts';
import classes from './sources.module.css';
import { TypedSource } from './typed-source.tsx';

/** Downloads the video of a web page in the background on the server. */
export function DownloadForm({ isBusy, onPick }: SourceFormProps) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const { data: jobs } = useQuery(downloadsQuery);
  const [url, setUrl] = useState('');
  const [isChecked, setIsChecked] = useState(false);
  const begin = useMutation({
    mutationFn: (page: string) => client.call(sourceApi.beginDownload, { url: page }),
    onSuccess: () => {
      setUrl('');
      setIsChecked(false);
      return queries.invalidateQueries(downloadsQuery);
    },
    meta: { handles: (error) => error instanceof ApiError && !isTransient(error) },
  });
  const problem = videoUrlProblem(url);
  const problems = {
    missing: t('plat.tool.ytdlMissing'),
    scheme: t('plat.tool.ytdlScheme'),
    invalid: t('source.urlInvalid'),
  };
  const refusal = begin.error instanceof ApiError ? begin.error.message : undefined;
  return (
    <Stack gap="sm">
      <TypedSource
        label={t('source.pageUrl')}
        placeholder="https://example.com/watch/video"
        help={t('plat.tool.ytdlHelp')}
        value={url}
        onChange={(value) => {
          begin.reset();
          setUrl(value);
        }}
        error={isChecked && problem ? problems[problem] : refusal}
        action={t('source.download')}
        isBusy={begin.isPending}
        onSubmit={() => {
          setIsChecked(true);
          if (!problem) begin.mutate(url.trim());
        }}
      />
      {jobs && jobs.length > 0 && (
        <ul className={classes.jobs} aria-label={t('source.downloads')}>
          {jobs.map((job) => (
            <DownloadJob key={job.uuid} job={job} isBusy={isBusy} onPick={onPick} />
          ))}
        </ul>
      )}
    </Stack>
  );
}

function DownloadJob({ job, isBusy, onPick }: SourceFormProps & { job: DownloadState }) {
  const { t } = useTranslation();
  const locale = useLocale();
  const queries = useQueryClient();
  const cancel = useMutation({
    mutationFn: () => client.call(sourceApi.cancelDownload, { uuid: job.uuid }),
    onSettled: () => queries.invalidateQueries(downloadsQuery),
  });
  const size = (bytes: number) => formatBytes(bytes, locale);
  const name = job.name || job.host;
  const facts = [
    job.bytes !== null && (job.totalBytes === null ? size(job.bytes) : `${size(job.bytes)} / ${size(job.totalBytes)}`),
    job.bytesPerSecond !== null && job.state === 'running' && formatBitrate((8 * job.bytesPerSecond) / 1000, locale),
  ].filter(Boolean);
  return (
    <li className={classes.job}>
      <Group justify="space-between" gap="xs" wrap="nowrap">
        <Text size="sm" fw={500} className={classes.name}>
          {name}
        </Text>
        <StatusLabel tone={tones[job.state]} word={t(`source.job.${job.state}`)} />
      </Group>
      {job.state === 'running' && <Progress value={job.percent ?? 0} aria-label={t('source.progressOf', { name })} />}
      <Text size="sm" c="dimmed">
        {job.state === 'failed'
          ? job.error
          : [job.state === 'running' && job.percent !== null && `${job.percent}%`, ...facts]
              .filter(Boolean)
              .join(' · ')}
      </Text>
      <Group gap="xs">
        {job.state === 'done' && job.file && (
          <Button
            size="compact-sm"
            loading={isBusy}
            onClick={() =>
              job.file &&
              onPick(toSourceRef(job.file, 'ytdl', job.host)).then(
                () => cancel.mutate(),
                () => undefined,
              )
            }
          >
            {t('source.use')}
          </Button>
        )}
        <Button size="compact-sm" variant="default" loading={cancel.isPending} onClick={() => cancel.mutate()}>
          {job.state === 'running' ? t('helper.cancel') : t('source.dismiss')}
        </Button>
      </Group>
    </li>
  );
}

const tones = { running: 'busy', done: 'ok', failed: 'bad', cancelled: 'off' } as const;
