import { useQuery } from '@tanstack/react-query';
import type { ActiveStream, NoPictureReason } from '@weir/contract';
import type { ParseKeys } from 'i18next';
import { useTranslation } from 'react-i18next';
import classes from './stream-card.module.css';
import { thumbnailQuery } from './thumbnail-query.ts';
import { useBlobUrl } from './use-blob-url.ts';

const words: Readonly<Record<NoPictureReason, ParseKeys>> = {
  'not-live': 'overview.noPicture',
  'no-video': 'overview.audioOnly',
  undecodable: 'overview.noPicture',
  'no-ffmpeg': 'overview.noPictureFfmpeg',
  unsupported: 'overview.noPictureEngine',
};

/** What a stream shows now, a few seconds old; out of view what it showed last. */
export function StreamThumbnail({ stream, isSeen }: { stream: ActiveStream; isSeen: boolean }) {
  const { t } = useTranslation();
  const { media } = stream;
  // Known without asking; before a track is known there may still be one.
  const isAudioOnly = media !== undefined && media.video === null && media.audio !== null;
  const { data, isPending } = useQuery({ ...thumbnailQuery(stream), enabled: !isAudioOnly && isSeen });
  const url = useBlobUrl(data instanceof Blob ? data : undefined);
  // Its name stands below; the picture adds nothing for those who cannot see it.
  if (url) return <img className={classes.image} src={url} alt="" />;
  if (isAudioOnly) return <span className={classes.absent}>{t('overview.audioOnly')}</span>;
  if (isPending || data instanceof Blob) return null;
  return <span className={classes.absent}>{t(words[data?.reason ?? 'not-live'])}</span>;
}
