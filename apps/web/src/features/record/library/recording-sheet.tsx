import { Button, NativeSelect, Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type Recording, type RecordLink, recordLanguageParameter, transcriptFormats } from '@weir/contract';
import { streamLabel } from '@weir/streams';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNow } from '../../../components/processes/use-now.ts';
import { type Fact, FactList } from '../../../components/ui/facts/fact-list.tsx';
import { Moment } from '../../../components/ui/facts/moment.tsx';
import { StaleChip } from '../../../components/ui/feedback/stale-chip.tsx';
import { CopyField } from '../../../components/ui/fields/copy-field.tsx';
import { SideSheet } from '../../../components/ui/layout/side-sheet.tsx';
import { formatBytes, formatDuration } from '../../../lib/format.ts';
import { useLocale } from '../../../lib/i18n.ts';
import { languageName } from '../../../lib/language-name.ts';
import { IconDownload } from '../icons.ts';
import classes from '../record.module.css';
import { recordLinkQuery } from '../record-queries.ts';
import { recordedBytes, recordedSeconds } from './recorded.ts';
import { fileName, recordingLinks, recordingPath } from './recording-links.ts';
import { WatchButtons, WatchLink } from './recording-links-view.tsx';

interface RecordingSheetProps {
  recording: Recording;
  opened: boolean;
  onClose: () => void;
}

/** Details of a recording: facts, links, files and transcripts. */
export function RecordingSheet({ recording, opened, onClose }: RecordingSheetProps) {
  const { t } = useTranslation();
  const link = useQuery(recordLinkQuery(recording.uuid));
  const facts = useFacts(recording);
  return (
    <SideSheet
      opened={opened}
      onClose={onClose}
      title={streamLabel(recording)}
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
  const { m3u8, mp4 } = recordingLinks(recording, link, { title: streamLabel(recording) });
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
