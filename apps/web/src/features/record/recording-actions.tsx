import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type Recording, recordApi, recordLimits } from '@weir/contract';
import { useTranslation } from 'react-i18next';
import { client } from '../../lib/api.ts';
import { copyText } from '../../lib/copy.ts';
import { notify } from '../../lib/notify.ts';
import { streamLabel } from '../streams/stream-label.ts';
import { isOver } from './library-view.ts';
import classes from './record.module.css';
import { recordKey, recordLinkQuery } from './record-queries.ts';
import { saveFile } from './save-file.ts';

interface RecordingActionsProps {
  recording: Recording;
  onPlay: () => void;
  onEnd: () => void;
  onRemove: () => void;
}

export function RecordingActions({ recording, onPlay, onEnd, onRemove }: RecordingActionsProps) {
  const { t } = useTranslation();
  const name = streamLabel(recording);
  const { download, copy } = useLinkActions(recording);
  const retry = useRetry(recording.uuid);
  const button = { variant: 'default', size: 'xs' } as const;
  return (
    <div className={classes.actions}>
      <Button {...button} aria-label={t('record.playWhat', { name })} onClick={onPlay}>
        {t('record.play')}
      </Button>
      {recording.mp4Bytes > 0 && (
        <Button
          {...button}
          aria-label={t('record.downloadWhat', { name })}
          loading={download.isPending}
          onClick={() => download.mutate()}
        >
          {t('record.download')}
        </Button>
      )}
      <Button
        {...button}
        aria-label={t('record.linkWhat', { name })}
        loading={copy.isPending}
        onClick={() => copy.mutate()}
      >
        {t('record.link')}
      </Button>
      {recording.state === 'failed' && (
        <Button
          {...button}
          aria-label={t('record.retryWhat', { name })}
          loading={retry.isPending}
          onClick={() => retry.mutate()}
        >
          {t('record.retry')}
        </Button>
      )}
      {recording.state === 'recording' && (
        <Button {...button} aria-label={t('record.endWhat', { name })} onClick={onEnd}>
          {t('record.end')}
        </Button>
      )}
      {isOver(recording) && (
        <Button {...button} aria-label={t('record.removeWhat', { name })} onClick={onRemove}>
          {t('record.remove')}
        </Button>
      )}
    </div>
  );
}

/** Both need an address that works without the console's credential. */
function useLinkActions({ uuid, mp4Bytes, ...recording }: Recording) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const sign = () => queries.fetchQuery(recordLinkQuery(uuid));
  const download = useMutation({
    mutationFn: sign,
    onSuccess: ({ mp4 }) => saveFile(mp4, recording),
  });
  const copy = useMutation({
    mutationFn: async () => {
      const { mp4, m3u8 } = await sign();
      await copyText(new URL(mp4Bytes > 0 ? mp4 : m3u8, window.location.href).href);
    },
    onSuccess: () => notify.success(t('record.linkOk', { hours: recordLimits.linkMs / 3600_000 })),
  });
  return { download, copy };
}

function useRetry(uuid: string) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => client.call(recordApi.retry, { uuid }),
    onSuccess: () => notify.success(t('record.retryOk')),
    onSettled: () => queries.invalidateQueries({ queryKey: recordKey }),
  });
}
