import { Button, Modal, NativeSelect, Skeleton, Stack, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type Recording, type RecordLink, recordApi, recordLanguageParameter, transcriptFormats } from '@weir/contract';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'react-router';
import { RecordedPlayer } from '../../../components/player/recorded-player.tsx';
import { useNow } from '../../../components/processes/use-now.ts';
import { type Fact, FactList } from '../../../components/ui/facts/fact-list.tsx';
import { Moment } from '../../../components/ui/facts/moment.tsx';
import { ConfirmDialog } from '../../../components/ui/feedback/confirm-dialog.tsx';
import { StaleChip } from '../../../components/ui/feedback/stale-chip.tsx';
import { CopyField } from '../../../components/ui/fields/copy-field.tsx';
import { SideSheet } from '../../../components/ui/layout/side-sheet.tsx';
import { client, isNotFound } from '../../../lib/api.ts';
import { formatBytes, formatDateTime, formatDuration } from '../../../lib/format.ts';
import { useLocale } from '../../../lib/i18n.ts';
import { languageName } from '../../../lib/language-name.ts';
import { notify } from '../../../lib/notify.ts';
import { IconDownload } from '../icons.ts';
import classes from '../record.module.css';
import { recordKey, recordLinkQuery } from '../record-queries.ts';
import { recordedBytes, recordedSeconds, recordingLabel } from './recorded.ts';
import { fileName, recordingLinks, recordingPath } from './recording-links.ts';
import { WatchButtons, WatchLink } from './recording-links-view.tsx';

type DialogRequest =
  | { readonly what: 'play'; readonly uuid: string; readonly second?: number }
  | { readonly what: 'details' | 'end'; readonly uuid: string }
  | { readonly what: 'remove'; readonly uuids: readonly string[] };

export type OpenRecordingDialog = (request: DialogRequest) => void;

interface RecordingDialogsProps {
  recordings: readonly Recording[];
  children: (open: OpenRecordingDialog) => ReactNode;
}

/** Dialogs of recordings. Each keeps its recording while it fades out. */
export function RecordingDialogs({ recordings, children }: RecordingDialogsProps) {
  const [request, setRequest] = useState<DialogRequest>();
  const [isOpen, setIsOpen] = useState(false);
  const [{ named, key }, setNamed] = useState({ named: '', key: '' });
  const location = useLocation();
  const open: OpenRecordingDialog = (next) => {
    setRequest(next);
    setIsOpen(true);
  };
  // An address that names a recording opens it, each time the link is followed.
  const uuid = new URLSearchParams(location.search).get('recording') ?? '';
  if (named !== uuid || key !== location.key) {
    setNamed({ named: uuid, key: location.key });
    if (uuid !== '') open({ what: 'play', uuid });
  }
  const dialog = { opened: isOpen, onClose: () => setIsOpen(false) };
  const wanted = request === undefined ? [] : request.what === 'remove' ? request.uuids : [request.uuid];
  const targets = recordings.filter((recording) => wanted.includes(recording.uuid));
  const [first] = targets;
  return (
    <>
      {children(open)}
      {request?.what === 'play' && first && (
        <PlayerDialog
          recording={first}
          startSeconds={request.second}
          onDetails={() => open({ what: 'details', uuid: first.uuid })}
          {...dialog}
        />
      )}
      {request?.what === 'details' && first && <RecordingSheet recording={first} {...dialog} />}
      {request?.what === 'end' && first && <EndRecordingDialog recording={first} {...dialog} />}
      {request?.what === 'remove' && <RemoveRecordingsDialog recordings={targets} {...dialog} />}
    </>
  );
}

interface RemoveDialogProps {
  recordings: readonly Recording[];
  opened: boolean;
  onClose: () => void;
}

const namedAtMost = 5;

function RemoveRecordingsDialog({ recordings, opened, onClose }: RemoveDialogProps) {
  const { t } = useTranslation();
  const locale = useLocale();
  const queries = useQueryClient();
  const remove = useMutation({
    mutationFn: async () => {
      for (const { uuid } of recordings) await removeOne(uuid);
    },
    onSuccess: () => notify.success(t('record.removeOk', { count: recordings.length })),
    onSettled: () => {
      onClose();
      return queries.invalidateQueries({ queryKey: recordKey });
    },
  });
  const bytes = recordings.reduce((sum, recording) => sum + recordedBytes(recording), 0);
  const names = recordings
    .slice(0, namedAtMost)
    .map((one) => `${recordingLabel(one)} ${formatDateTime(new Date(one.startedAt))}`);
  const more = recordings.length - names.length;
  const list = [...names, ...(more > 0 ? [t('record.removeMore', { count: more })] : [])].join(t('record.comma'));
  return (
    <ConfirmDialog
      opened={opened}
      title={t('record.removeTitle', { count: recordings.length, size: formatBytes(bytes, locale) })}
      text={t('record.removeText', { list })}
      action={t('record.remove')}
      busy={remove.isPending}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    />
  );
}

/** A recording deleted elsewhere meanwhile counts as success. */
async function removeOne(uuid: string): Promise<void> {
  try {
    await client.call(recordApi.remove, { uuid });
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}

/** The server needs a moment to close the file before the list is read again. */
const reloadAfterMs = 1000;

function EndRecordingDialog({
  recording,
  opened,
  onClose,
}: {
  recording: Recording;
  opened: boolean;
  onClose: () => void;
}) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const end = useMutation({
    mutationFn: () => client.call(recordApi.end, { uuid: recording.uuid }),
    onSettled: async () => {
      onClose();
      await new Promise((resolve) => setTimeout(resolve, reloadAfterMs));
      await queries.invalidateQueries({ queryKey: recordKey });
    },
  });
  return (
    <ConfirmDialog
      opened={opened}
      title={t('record.endTitle', { name: recordingLabel(recording) })}
      text={t('record.endTip')}
      action={t('record.end')}
      busy={end.isPending}
      onConfirm={() => end.mutate()}
      onClose={onClose}
    />
  );
}

interface PlayerDialogProps {
  recording: Recording;
  /** Start position in seconds; default: the beginning. */
  startSeconds?: number | undefined;
  opened: boolean;
  onClose: () => void;
  /** Opens everything else about the recording. */
  onDetails: () => void;
}

function PlayerDialog({ recording, startSeconds, opened, onClose, onDetails }: PlayerDialogProps) {
  const { t } = useTranslation();
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={recordingLabel(recording)}
      size={880}
      centered
      transitionProps={{ duration: 150 }}
      closeButtonProps={{ 'aria-label': t('record.player.close') }}
    >
      <Watching recording={recording} startSeconds={startSeconds} onDetails={onDetails} />
    </Modal>
  );
}

function Watching({ recording, startSeconds, onDetails }: Omit<PlayerDialogProps, 'opened' | 'onClose'>) {
  const { t } = useTranslation();
  const link = useQuery(recordLinkQuery(recording.uuid));
  const title = recordingLabel(recording);
  // A player that follows a live recording keeps the playlist; the file is used the next time.
  const [isFile] = useState(recording.mp4Bytes > 0);
  return (
    <Stack gap="md">
      {link.data ? (
        <RecordedPlayer
          source={isFile ? { kind: 'file', url: link.data.mp4 } : { kind: 'hls', url: link.data.m3u8 }}
          title={title}
          startSeconds={startSeconds}
        />
      ) : (
        <Skeleton height={360} />
      )}
      <StaleChip {...link} />
      <Facts recording={recording} />
      {link.data && <WatchLink recording={recording} link={link.data} startSeconds={startSeconds} />}
      <div className={classes.watch}>
        {link.data && <WatchButtons recording={recording} link={link.data} startSeconds={startSeconds} />}
        <Button variant="subtle" onClick={onDetails}>
          {t('record.details.title')}
        </Button>
      </div>
    </Stack>
  );
}

/** When, how long and how large, on one line. */
function Facts({ recording }: { recording: Recording }) {
  const locale = useLocale();
  return (
    <Text size="sm" c="dimmed">
      <Moment at={recording.startedAt} /> · {formatDuration(recording.duration, locale)} ·{' '}
      {formatBytes(recordedBytes(recording), locale)}
    </Text>
  );
}

interface RecordingSheetProps {
  recording: Recording;
  opened: boolean;
  onClose: () => void;
}

/** Details of a recording: facts, links, files and transcripts. */
function RecordingSheet({ recording, opened, onClose }: RecordingSheetProps) {
  const { t } = useTranslation();
  const link = useQuery(recordLinkQuery(recording.uuid));
  const facts = useFacts(recording);
  return (
    <SideSheet
      opened={opened}
      onClose={onClose}
      title={recordingLabel(recording)}
      footer={link.data && <WatchButtons recording={recording} link={link.data} />}
    >
      <Stack gap="lg">
        <FactList facts={facts} />
        <StaleChip {...link} />
        {link.data ? <Links recording={recording} link={link.data} /> : <Skeleton height={180} />}
        <CopyField
          label={t('record.url')}
          value={new URL(recordingPath(recording), window.location.href).href}
          help={t('record.player.urlHelp')}
        />
        {link.data && recording.transcript && <TranscriptDownloads recording={recording} link={link.data} />}
      </Stack>
    </SideSheet>
  );
}

function Links({ recording, link }: { recording: Recording; link: RecordLink }) {
  const { t } = useTranslation();
  const { m3u8, mp4 } = recordingLinks(recording, link, { title: recordingLabel(recording) });
  return (
    <>
      <WatchLink recording={recording} link={link} />
      {mp4 !== undefined && <CopyField label={t('record.player.mp4')} value={mp4} />}
      <CopyField label={t('record.player.m3u8')} value={m3u8} />
    </>
  );
}

function useFacts(recording: Recording): Fact[] {
  const { t } = useTranslation();
  const locale = useLocale();
  const { state, startedAt, endedAt, nn, discontinuities, copy } = recording;
  const nowMs = useNow(state === 'recording');
  return [
    { term: t('record.player.began'), value: <Moment at={startedAt} /> },
    ...(endedAt === '' ? [] : [{ term: t('record.player.ended'), value: <Moment at={endedAt} /> }]),
    { term: t('record.duration'), value: formatDuration(recordedSeconds(recording, nowMs), locale) },
    { term: t('record.size'), value: formatBytes(recordedBytes(recording), locale) },
    { term: t('record.slice'), value: nn },
    ...(discontinuities > 0 ? [{ term: t('record.player.seams'), value: discontinuities }] : []),
    ...(copy === '' ? [] : [{ term: t('record.player.copy'), value: copy }]),
  ];
}

interface TranscriptDownloadsProps {
  recording: Recording;
  link: RecordLink;
}

function TranscriptDownloads({ recording, link }: TranscriptDownloadsProps) {
  const { t } = useTranslation();
  const [chosen, setChosen] = useState('');
  const { language, translations } = link;
  const original = t('record.transcript.original');
  const query = chosen === '' ? '' : `&${recordLanguageParameter}=${chosen}`;
  return (
    <Stack gap="xs">
      <Text size="sm" fw={600}>
        {t('record.transcript.title')}
      </Text>
      {translations.length > 0 && (
        <NativeSelect
          label={t('record.transcript.language')}
          data={[
            { value: '', label: language === '' ? original : `${languageName(language)} · ${original}` },
            ...translations.map((code) => ({ value: code, label: languageName(code) })),
          ]}
          value={chosen}
          onChange={(event) => setChosen(event.currentTarget.value)}
        />
      )}
      <div className={classes.watch}>
        {transcriptFormats.map((form) => (
          <Button
            key={form}
            component="a"
            href={link[form] + query}
            download={fileName(recording, form, chosen)}
            variant="default"
            leftSection={<IconDownload size={16} aria-hidden />}
          >
            {t(`record.transcript.download.${form}`)}
          </Button>
        ))}
      </div>
    </Stack>
  );
}
