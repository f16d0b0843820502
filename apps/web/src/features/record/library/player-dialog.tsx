import { Button, Modal, NativeSelect, Skeleton, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type Recording, type RecordLink, recordLanguageParameter, transcriptFormats } from '@weir/contract';
import { streamLabel } from '@weir/streams';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { RecordedPlayer } from '../../../components/player/recorded-player.tsx';
import { type Fact, FactList } from '../../../components/ui/facts/fact-list.tsx';
import { Moment } from '../../../components/ui/facts/moment.tsx';
import { StaleChip } from '../../../components/ui/feedback/stale-chip.tsx';
import { CopyField } from '../../../components/ui/fields/copy-field.tsx';
import { IconExternalLink } from '../../../components/ui/theme/icons.ts';
import { formatBytes, formatDateTime, formatDuration } from '../../../lib/format.ts';
import { useLocale } from '../../../lib/i18n.ts';
import { languageName } from '../../../lib/language-name.ts';
import { IconDownload } from '../icons.ts';
import classes from '../record.module.css';
import { recordLinkQuery } from '../record-queries.ts';
import { recordedBytes } from './recorded-bytes.ts';
import { fileName, recordingLinks, recordingPath } from './recording-links.ts';

interface PlayerDialogProps {
  recording: Recording;
  /** Start position in seconds; default: the beginning. */
  startSeconds?: number | undefined;
  opened: boolean;
  onClose: () => void;
}

export function PlayerDialog({ recording, startSeconds, opened, onClose }: PlayerDialogProps) {
  const { t } = useTranslation();
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={streamLabel(recording)}
      size={880}
      centered
      transitionProps={{ duration: 150 }}
      closeButtonProps={{ 'aria-label': t('record.player.close') }}
    >
      <Watching recording={recording} startSeconds={startSeconds} />
    </Modal>
  );
}

function Watching({ recording, startSeconds }: Pick<PlayerDialogProps, 'recording' | 'startSeconds'>) {
  const { t } = useTranslation();
  const link = useQuery(recordLinkQuery(recording.uuid));
  const facts = useFacts(recording);
  const title = streamLabel(recording);
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
      <FactList facts={facts} />
      {link.data && <Links recording={recording} link={link.data} startSeconds={startSeconds} />}
      <CopyField
        label={t('record.url')}
        value={new URL(recordingPath(recording), window.location.href).href}
        help={t('record.player.urlHelp')}
      />
    </Stack>
  );
}

interface LinksProps {
  recording: Recording;
  link: RecordLink;
  startSeconds: number | undefined;
}

function Links({ recording, link, startSeconds }: LinksProps) {
  const { t } = useTranslation();
  const { watch, m3u8, mp4 } = recordingLinks(recording, link, { title: streamLabel(recording), startSeconds });
  return (
    <>
      <CopyField
        label={t('record.player.watch')}
        value={watch}
        qrValue={watch}
        help={t('record.player.linkHelp', { time: formatDateTime(new Date(link.expireAt)) })}
      />
      {mp4 !== undefined && <CopyField label={t('record.player.mp4')} value={mp4} />}
      <CopyField label={t('record.player.m3u8')} value={m3u8} />
      <div className={classes.watch}>
        <Button
          component="a"
          href={watch}
          target="_blank"
          rel="noreferrer"
          variant="default"
          leftSection={<IconExternalLink size={16} aria-hidden />}
        >
          {t('record.player.open')}
        </Button>
        {mp4 !== undefined && (
          <Button
            component="a"
            href={link.mp4}
            download={fileName(recording, 'mp4')}
            variant="default"
            leftSection={<IconDownload size={16} aria-hidden />}
          >
            {t('record.player.download')}
          </Button>
        )}
      </div>
      {recording.transcript && <TranscriptDownloads recording={recording} link={link} />}
    </>
  );
}

function useFacts(recording: Recording): Fact[] {
  const { t } = useTranslation();
  const locale = useLocale();
  const { startedAt, endedAt, duration, nn, discontinuities, copy } = recording;
  return [
    { term: t('record.player.began'), value: <Moment at={startedAt} /> },
    ...(endedAt === '' ? [] : [{ term: t('record.player.ended'), value: <Moment at={endedAt} /> }]),
    { term: t('record.duration'), value: formatDuration(duration, locale) },
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
    <>
      {translations.length > 0 && (
        <NativeSelect
          maw={360}
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
    </>
  );
}
