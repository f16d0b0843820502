import { Button, Group, Progress, Stack, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { findSourceExtension, offeredExtensions, type PreparedFile, sourceApi, type UploadState } from '@weir/contract';
import { type DragEvent, useRef, useState, useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { client } from '../../../lib/api.ts';
import { formatBytes } from '../../../lib/format.ts';
import { useLocale } from '../../../lib/i18n.ts';
import { formatBitrate } from '../../figures/format-figures.ts';
import { Notice } from '../../ui/feedback/notice.tsx';
import { StatusLabel } from '../../ui/feedback/status-label.tsx';
import { IconUpload } from '../../ui/theme/icons.ts';
import { type SourceFormProps, toSourceRef } from '../source-form.ts';
import { uploadsQuery } from '../source-queries.ts';
import classes from '../sources.module.css';
import { isSameFile } from './stored-uploads.ts';
import type { UploadSession, UploadView } from './upload-session.ts';

interface UploadProgressProps {
  view: UploadView;
  onPause: () => void;
  onResume: () => void;
  onCancel: () => void;
}

function UploadProgress({ view, onPause, onResume, onCancel }: UploadProgressProps) {
  const { t } = useTranslation();
  const locale = useLocale();
  const { phase, name, totalBytes, sentBytes, elapsedMs, bitsPerSecond, message } = view;
  const percent = toPercent(sentBytes, totalBytes);
  const megabytes = (bytes: number) => `${(bytes / 1_000_000).toFixed(1)} MB`;
  const isRunning = phase === 'sending' || phase === 'retrying';
  return (
    <div className={classes.job}>
      <Group justify="space-between" gap="xs" wrap="nowrap">
        <Text size="sm" fw={500} className={classes.name}>
          {name}
        </Text>
        <StatusLabel tone={tones[phase]} word={t(`source.upload.${phase}`)} />
      </Group>
      <Progress value={percent} aria-label={t('source.progressOf', { name })} />
      <Text size="sm" c="dimmed">
        {[
          `${percent}%`,
          `${megabytes(sentBytes)} / ${megabytes(totalBytes)}`,
          isRunning && formatBitrate(bitsPerSecond / 1000, locale),
          isRunning && `${Math.floor(elapsedMs / 1000)} s`,
        ]
          .filter(Boolean)
          .join(' · ')}
      </Text>
      {phase === 'failed' && (
        <Notice tone="bad" title={t('source.uploadFailed')}>
          <p role="alert">{message}</p>
        </Notice>
      )}
      <Group gap="xs">
        {isRunning ? (
          <Button size="compact-sm" variant="default" onClick={onPause}>
            {t('source.pause')}
          </Button>
        ) : (
          <Button size="compact-sm" onClick={onResume}>
            {t('source.resume')}
          </Button>
        )}
        <Button size="compact-sm" variant="default" onClick={onCancel}>
          {t('helper.cancel')}
        </Button>
      </Group>
    </div>
  );
}

const tones = { idle: 'off', sending: 'busy', retrying: 'warn', paused: 'off', failed: 'bad' } as const;

interface UploaderProps extends SourceFormProps {
  session: UploadSession;
  /** Extensions of other files than films. The server accepts a few more films than are offered. */
  endings?: readonly string[];
}

/** Uploads a local file in chunks that survive broken connections and reloads. */
export function Uploader({ isBusy, onPick, session, endings }: UploaderProps) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const view = useSyncExternalStore(session.subscribe, session.view);
  const { data: unfinished = [] } = useQuery(uploadsQuery);
  const [file, setFile] = useState<File>();
  const [isMissing, setIsMissing] = useState(false);
  const isAllowed = (name: string) =>
    endings ? endings.some((ending) => name.toLowerCase().endsWith(ending)) : findSourceExtension(name) !== undefined;
  const isWrong = file !== undefined && !isAllowed(file.name);
  const offered = endings ?? offeredExtensions;
  const earlier = file && unfinished.find((upload) => isSameFile(upload, file));
  const error = isWrong
    ? `${t('plat.tool.fileExtension')} ${offered.join(' ')}`
    : isMissing && !file
      ? t('plat.tool.noFile')
      : undefined;

  const use = async (done: Promise<PreparedFile | undefined>) => {
    const prepared = await done;
    await queries.invalidateQueries(uploadsQuery);
    if (!prepared) return;
    setFile(undefined);
    await onPick(toSourceRef(prepared, 'upload', prepared.name)).catch(() => undefined);
  };
  const start = () => {
    setIsMissing(!file);
    if (file && !isWrong) void use(session.send(file, earlier));
  };

  if (view.phase !== 'idle') {
    return (
      <UploadProgress
        view={view}
        onPause={() => session.pause()}
        onResume={() => void use(session.resume())}
        onCancel={() => void session.cancel().then(() => queries.invalidateQueries(uploadsQuery))}
      />
    );
  }
  return (
    <Stack gap="sm">
      <DropZone file={file} onFile={setFile} error={error} endings={offered} />
      <Group gap="sm">
        <Button disabled={!file || isWrong} loading={isBusy} onClick={start}>
          {earlier ? t('source.resume') : t('source.send')}
        </Button>
        {earlier && (
          <Text size="sm" c="dimmed">
            {t('source.resumeHelp', { percent: toPercent(earlier.offset, earlier.size) })}
          </Text>
        )}
      </Group>
      <UnfinishedUploads uploads={unfinished.filter(({ uuid }) => uuid !== earlier?.uuid)} />
    </Stack>
  );
}

/** Interrupted uploads, possibly of another browser. */
function UnfinishedUploads({ uploads }: { uploads: readonly UploadState[] }) {
  const { t } = useTranslation();
  const locale = useLocale();
  const queries = useQueryClient();
  const discard = useMutation({
    mutationFn: (uuid: string) => client.call(sourceApi.cancelUpload, { uuid }),
    onSettled: () => queries.invalidateQueries(uploadsQuery),
  });
  if (uploads.length === 0) return null;
  return (
    <div>
      <Text size="sm" fw={500}>
        {t('source.unfinished')}
      </Text>
      <Text size="sm" c="dimmed">
        {t('source.unfinishedHelp')}
      </Text>
      <ul className={classes.jobs} aria-label={t('source.unfinished')}>
        {uploads.map(({ uuid, name, size, offset }) => (
          <li key={uuid} className={classes.job}>
            <Group justify="space-between" gap="xs">
              <Text size="sm" className={classes.name}>
                {name} · {toPercent(offset, size)}% / {formatBytes(size, locale)}
              </Text>
              <Button
                size="compact-sm"
                variant="default"
                disabled={discard.isPending}
                onClick={() => discard.mutate(uuid)}
              >
                {t('source.discard')}
              </Button>
            </Group>
          </li>
        ))}
      </ul>
    </div>
  );
}

interface DropZoneProps {
  file: File | undefined;
  onFile: (file: File | undefined) => void;
  error: string | undefined;
  /** Allowed file extensions. */
  endings: readonly string[];
}

/** Picks a local file by dialog or drag and drop. */
function DropZone({ file, onFile, error, endings }: DropZoneProps) {
  const { t } = useTranslation();
  const locale = useLocale();
  const input = useRef<HTMLInputElement>(null);
  const [isOver, setIsOver] = useState(false);
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setIsOver(false);
    onFile(event.dataTransfer.files[0]);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is a shortcut for the button inside
    <div
      className={classes.drop}
      data-over={isOver || undefined}
      onDragOver={(event) => {
        event.preventDefault();
        setIsOver(true);
      }}
      onDragLeave={() => setIsOver(false)}
      onDrop={drop}
    >
      <input
        ref={input}
        type="file"
        className={classes.hidden}
        accept={endings.join(',')}
        aria-label={t('source.chooseFile')}
        tabIndex={-1}
        onChange={(event) => onFile(event.currentTarget.files?.[0])}
      />
      <Group gap="sm">
        <Button
          variant="default"
          leftSection={<IconUpload size={16} aria-hidden />}
          onClick={() => input.current?.click()}
        >
          {t('source.chooseFile')}
        </Button>
        {file ? (
          <Text size="sm" className={classes.name}>
            {file.name} · {formatBytes(file.size, locale)}
          </Text>
        ) : (
          <Text size="sm" c="dimmed">
            {t('source.dropHere', { endings: endings.join(' ') })}
          </Text>
        )}
      </Group>
      {error && (
        <Text size="sm" c="var(--mantine-color-error)" mt="xs" role="alert">
          {error}
        </Text>
      )}
    </div>
  );
}

function toPercent(part: number, whole: number): number {
  return whole > 0 ? Math.floor((100 * part) / whole) : 0;
}
