import { Button, Modal, Skeleton, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type Recording, recordPaths } from '@weir/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { CopyField } from '../../components/ui/copy-field.tsx';
import { type Fact, FactList } from '../../components/ui/fact-list.tsx';
import { Moment } from '../../components/ui/moment.tsx';
import { StaleChip } from '../../components/ui/stale-chip.tsx';
import { formatBytes, formatDateTime, formatDuration } from '../../lib/format.ts';
import { useLocale } from '../../lib/i18n.ts';
import { streamLabel } from '../streams/stream-label.ts';
import { IconDownload } from './icons.ts';
import { recordLinkQuery } from './record-queries.ts';
import { RecordingPlayer } from './recording-player.tsx';
import { fileName } from './save-file.ts';

interface PlayerDialogProps {
  recording: Recording;
  opened: boolean;
  onClose: () => void;
}

export function PlayerDialog({ recording, opened, onClose }: PlayerDialogProps) {
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
      <Watching recording={recording} />
    </Modal>
  );
}

function Watching({ recording }: { recording: Recording }) {
  const { t } = useTranslation();
  const { uuid, startedAt } = recording;
  const link = useQuery(recordLinkQuery(uuid));
  const facts = useFacts(recording);
  // Whoever watches it grow goes on watching when it is finished; the file is for the next time.
  const [isFile] = useState(recording.mp4Bytes > 0);
  const absolute = (path: string) => new URL(path, window.location.href).href;
  return (
    <Stack gap="md">
      {link.data ? (
        <RecordingPlayer
          source={isFile ? { kind: 'file', url: link.data.mp4 } : { kind: 'hls', url: link.data.m3u8 }}
          title={streamLabel(recording)}
        />
      ) : (
        <Skeleton height={360} />
      )}
      <StaleChip {...link} />
      <FactList facts={facts} />
      {link.data && (
        <CopyField
          label={t('record.player.link')}
          value={absolute(recording.mp4Bytes > 0 ? link.data.mp4 : link.data.m3u8)}
          help={t('record.player.linkHelp', { time: formatDateTime(new Date(link.data.expireAt)) })}
        />
      )}
      <CopyField
        label={t('record.url')}
        value={absolute(recording.mp4Bytes > 0 ? recordPaths.mp4(uuid) : recordPaths.m3u8(uuid))}
        help={t('record.player.urlHelp')}
      />
      {link.data && recording.mp4Bytes > 0 && (
        <div>
          <Button
            component="a"
            href={link.data.mp4}
            download={fileName({ ...recording, startedAt })}
            variant="default"
            leftSection={<IconDownload size={16} aria-hidden />}
          >
            {t('record.player.download')}
          </Button>
        </div>
      )}
    </Stack>
  );
}

function useFacts(recording: Recording): Fact[] {
  const { t } = useTranslation();
  const locale = useLocale();
  const { startedAt, endedAt, duration, totalBytes, nn, discontinuities, copy } = recording;
  return [
    { term: t('record.player.began'), value: <Moment at={startedAt} /> },
    ...(endedAt === '' ? [] : [{ term: t('record.player.ended'), value: <Moment at={endedAt} /> }]),
    { term: t('record.duration'), value: formatDuration(duration, locale) },
    { term: t('record.size'), value: formatBytes(totalBytes, locale) },
    { term: t('record.slice'), value: nn },
    ...(discontinuities > 0 ? [{ term: t('record.player.seams'), value: discontinuities }] : []),
    ...(copy === '' ? [] : [{ term: t('record.player.copy'), value: copy }]),
  ];
}
