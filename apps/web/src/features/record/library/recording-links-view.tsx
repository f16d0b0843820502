import { Button } from '@mantine/core';
import type { Recording, RecordLink } from '@weir/contract';
import { useTranslation } from 'react-i18next';
import { CopyField } from '../../../components/ui/fields/copy-field.tsx';
import { IconExternalLink } from '../../../components/ui/theme/icons.ts';
import { formatDateTime } from '../../../lib/format.ts';
import { IconDownload } from '../icons.ts';
import { recordingLabel } from './recorded.ts';
import { fileName, recordingLinks } from './recording-links.ts';

interface LinkedRecordingProps {
  recording: Recording;
  link: RecordLink;
  /** Start position of the watch page in seconds; default: the beginning. */
  startSeconds?: number | undefined;
}

/** Page that plays the recording without signing in, also as QR code. */
export function WatchLink({ recording, link, startSeconds }: LinkedRecordingProps) {
  const { t } = useTranslation();
  const { watch } = recordingLinks(recording, link, { title: recordingLabel(recording), startSeconds });
  return (
    <CopyField
      label={t('record.player.watch')}
      value={watch}
      qrValue={watch}
      help={t('record.player.linkHelp', { time: formatDateTime(new Date(link.expireAt)) })}
    />
  );
}

/** Opens the watch page and downloads the file once there is one. */
export function WatchButtons({ recording, link, startSeconds }: LinkedRecordingProps) {
  const { t } = useTranslation();
  const { watch, mp4 } = recordingLinks(recording, link, { title: recordingLabel(recording), startSeconds });
  return (
    <>
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
    </>
  );
}
