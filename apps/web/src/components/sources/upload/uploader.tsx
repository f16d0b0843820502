import { Button, Group, Stack, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { findSourceExtension, offeredExtensions, type PreparedFile } from '@weir/contract';
import { useState, useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { toPercent } from '../percent.ts';
import { type SourceFormProps, toSourceRef } from '../source-form.ts';
import { uploadsQuery } from '../source-queries.ts';
import { DropZone } from './drop-zone.tsx';
import { isSameFile } from './stored-uploads.ts';
import { UnfinishedUploads } from './unfinished-uploads.tsx';
import { UploadProgress } from './upload-progress.tsx';
import type { UploadSession } from './upload-session.ts';

/** The console offers these; the server takes a few more. */

/** A file of this computer, sent in pieces that survive a broken connection and a reload of the page. */
export function Uploader({ isBusy, onPick: take, session }: SourceFormProps & { session: UploadSession }) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const view = useSyncExternalStore(session.subscribe, session.view);
  const { data: unfinished = [] } = useQuery(uploadsQuery);
  const [file, setFile] = useState<File>();
  const [isMissing, setIsMissing] = useState(false);
  const isWrong = file !== undefined && findSourceExtension(file.name) === undefined;
  const earlier = file && unfinished.find((upload) => isSameFile(upload, file));
  const error = isWrong
    ? `${t('plat.tool.fileExtension')} ${offeredExtensions.join(' ')}`
    : isMissing && !file
      ? t('plat.tool.noFile')
      : undefined;

  const use = async (done: Promise<PreparedFile | undefined>) => {
    const prepared = await done;
    await queries.invalidateQueries(uploadsQuery);
    if (!prepared) return;
    setFile(undefined);
    await take(toSourceRef(prepared, 'upload', prepared.name)).catch(() => undefined);
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
      <DropZone file={file} onFile={setFile} error={error} endings={offeredExtensions} />
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
