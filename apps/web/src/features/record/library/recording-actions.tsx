import { Button, Menu } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type Recording, recordApi, recordLimits, recordPlaybackPath, transcriptFormats } from '@weir/contract';
import { useTranslation } from 'react-i18next';
import { RowMenu } from '../../../components/ui/layout/row-menu.tsx';
import { IconPlayerPlay } from '../../../components/ui/theme/icons.ts';
import { client } from '../../../lib/api.ts';
import { copyText } from '../../../lib/copy.ts';
import { notify, useCopy } from '../../../lib/notify.ts';
import classes from '../record.module.css';
import { recordKey, recordLinkQuery } from '../record-queries.ts';
import { isOver } from './library-view.ts';
import { recordingLabel } from './recorded.ts';
import type { OpenRecordingDialog } from './recording-dialogs.tsx';
import { type FileForm, type RecordingLinks, recordingLinks, recordingPath, saveFile } from './recording-links.ts';

interface RecordingActionsProps {
  recording: Recording;
  onOpen: OpenRecordingDialog;
}

/** Frequent actions are buttons; the others are in a menu. */
export function RecordingActions({ recording, onOpen }: RecordingActionsProps) {
  const { t } = useTranslation();
  const name = recordingLabel(recording);
  const retry = useRetry(recording.uuid);
  return (
    <div className={classes.actions}>
      {recording.state === 'failed' && (
        <Button
          variant="default"
          size="xs"
          aria-label={t('record.retryWhat', { name })}
          loading={retry.isPending}
          onClick={() => retry.mutate()}
        >
          {t('record.retry')}
        </Button>
      )}
      <Button
        variant="default"
        size="xs"
        leftSection={<IconPlayerPlay size={14} aria-hidden />}
        aria-label={t('record.playWhat', { name })}
        onClick={() => onOpen({ what: 'play', uuid: recording.uuid })}
      >
        {t('record.play')}
      </Button>
      <RecordingMenu recording={recording} onOpen={onOpen} />
    </div>
  );
}

/** Actions on a recording besides playing it. */
export function RecordingMenu({ recording, onOpen }: RecordingActionsProps) {
  const { t } = useTranslation();
  const { uuid } = recording;
  const name = recordingLabel(recording);
  const { download, copy } = useLinkActions(recording);
  return (
    <RowMenu size={30} label={t('record.moreOf', { name })} loading={download.isPending || copy.isPending}>
      <Menu.Item onClick={() => onOpen({ what: 'details', uuid })}>{t('record.details.title')}</Menu.Item>
      <Menu.Item onClick={() => copy.mutate('watch')}>{t('record.link')}</Menu.Item>
      <Menu.Item onClick={() => copy.mutate('m3u8')}>{t('record.linkHls')}</Menu.Item>
      {recording.mp4Bytes > 0 && (
        <>
          <Menu.Item onClick={() => copy.mutate('mp4')}>{t('record.linkMp4')}</Menu.Item>
          <Menu.Item onClick={() => download.mutate('mp4')}>{t('record.download')}</Menu.Item>
        </>
      )}
      {recording.transcript && (
        <>
          <Menu.Divider />
          <Menu.Label>{t('record.transcript.title')}</Menu.Label>
          {transcriptFormats.map((form) => (
            <Menu.Item key={form} onClick={() => download.mutate(form)}>
              {t(`record.transcript.download.${form}`)}
            </Menu.Item>
          ))}
        </>
      )}
      {(recording.state === 'recording' || isOver(recording)) && <Menu.Divider />}
      {recording.state === 'recording' && (
        <Menu.Item onClick={() => onOpen({ what: 'end', uuid })}>{t('record.end')}</Menu.Item>
      )}
      {isOver(recording) && (
        <Menu.Item color="var(--weir-tone-bad)" onClick={() => onOpen({ what: 'remove', uuids: [uuid] })}>
          {t('record.remove')}
        </Menu.Item>
      )}
    </RowMenu>
  );
}

/** URL for programs; a click copies it in full. */
export function RecordingAddress({ recording }: { recording: Recording }) {
  const { t } = useTranslation();
  const copy = useCopy();
  const path = recordingPath(recording);
  const shown = path.slice(recordPlaybackPath.length + 1);
  return (
    <button
      type="button"
      data-touch
      className={classes.address}
      title={t('record.urlCopy')}
      aria-label={t('record.urlCopyWhat', { name: recordingLabel(recording), url: shown })}
      onClick={() => copy(new URL(path, window.location.href).href)}
    >
      {shown}
    </button>
  );
}

/** Actions that need a URL which works without the console's credential. */
function useLinkActions(recording: Recording) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const sign = () => queries.fetchQuery(recordLinkQuery(recording.uuid));
  const download = useMutation({
    mutationFn: (_form: FileForm) => sign(),
    onSuccess: (link, form) => saveFile(link[form], recording, form),
  });
  const copy = useMutation({
    mutationFn: async (which: keyof RecordingLinks) => {
      const links = recordingLinks(recording, await sign(), { title: recordingLabel(recording) });
      await copyText(links[which] ?? links.m3u8);
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
