import { Button, Modal, Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Recording } from '@weir/contract';
import { streamLabel } from '@weir/streams';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { RecordedPlayer } from '../../../components/player/recorded-player.tsx';
import { Moment } from '../../../components/ui/facts/moment.tsx';
import { StaleChip } from '../../../components/ui/feedback/stale-chip.tsx';
import { formatBytes, formatDuration } from '../../../lib/format.ts';
import { useLocale } from '../../../lib/i18n.ts';
import classes from '../record.module.css';
import { recordLinkQuery } from '../record-queries.ts';
import { recordedBytes } from './recorded-bytes.ts';
import { WatchButtons, WatchLink } from './recording-links-view.tsx';

interface PlayerDialogProps {
  recording: Recording;
  /** Start position in seconds; default: the beginning. */
  startSeconds?: number | undefined;
  opened: boolean;
  onClose: () => void;
  /** Opens everything else about the recording. */
  onDetails: () => void;
}

export function PlayerDialog({ recording, startSeconds, opened, onClose, onDetails }: PlayerDialogProps) {
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
      <Watching recording={recording} startSeconds={startSeconds} onDetails={onDetails} />
    </Modal>
  );
}

function Watching({ recording, startSeconds, onDetails }: Omit<PlayerDialogProps, 'opened' | 'onClose'>) {
  const { t } = useTranslation();
  const link = useQuery(recordLinkQuery(recording.uuid));
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
