import { queryOptions, useQuery } from '@tanstack/react-query';
import { overviewApi, overviewTimes } from '@weir/contract';
import { placeText, type WirePlace } from '@weir/streams';
import { useEffect, useState } from 'react';
import { client } from '../../lib/api.ts';
import { pollWhileSignedIn } from '../../lib/queries/polling.ts';
import classes from './thumbnail.module.css';

/**
 * Thumbnail of a stream, or the reason for its absence. Fetched as a blob, because an image URL could not carry the
 * credential.
 */
export const thumbnailQuery = ({ vhost, app, stream }: WirePlace) =>
  queryOptions({
    queryKey: ['thumbnail', vhost, app, stream],
    queryFn: ({ signal }) => client.image(overviewApi.thumbnail, { vhost, app, stream }, { signal }),
    refetchInterval: pollWhileSignedIn(overviewTimes.thumbnailMs),
    staleTime: overviewTimes.thumbnailMs,
    // Keeps the thumbnails of a hundred cards from filling the memory.
    gcTime: 2 * overviewTimes.thumbnailMs,
    retry: false,
    meta: { quiet: true },
  });

/** The last picture that the server has of a stream which is off. */
const lastPictureQuery = ({ vhost, app, stream }: WirePlace) =>
  queryOptions({
    queryKey: ['thumbnail', 'last', vhost, app, stream],
    queryFn: ({ signal }) => client.image(overviewApi.thumbnail, { vhost, app, stream, last: true }, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 2 * overviewTimes.thumbnailMs,
    retry: false,
    meta: { quiet: true },
  });

const mostKept = 64;
/** Last pictures of streams, for when they are off. */
const lastPictures = new Map<string, Blob>();

function keepPicture(name: string, picture: Blob): void {
  lastPictures.delete(name);
  lastPictures.set(name, picture);
  const [oldest] = lastPictures.keys();
  if (lastPictures.size > mostKept && oldest !== undefined) lastPictures.delete(oldest);
}

interface ThumbnailProps {
  /** Undefined while no stream is chosen. */
  stream: WirePlace | undefined;
  /** An off stream shows its last picture in grey. */
  isLive: boolean;
  /** Grey although the stream is live, because what the picture stands for is off. */
  isDimmed?: boolean;
}

const nowhere: WirePlace = { vhost: '', app: '', stream: '' };

/** Address of the current picture of a stream, or of its last one. */
export function useStreamPicture(stream: WirePlace | undefined, isLive: boolean): string | undefined {
  const place = stream ?? nowhere;
  const { data, isFetched } = useQuery({ ...thumbnailQuery(place), enabled: stream !== undefined && isLive });
  const name = stream && placeText(stream);
  const picture = data instanceof Blob ? data : undefined;
  useEffect(() => {
    if (name !== undefined && picture) keepPicture(name, picture);
  }, [name, picture]);
  const known = picture ?? (name === undefined ? undefined : lastPictures.get(name));
  // A busy server makes no new pictures of live streams.
  const isWithout = known === undefined && (!isLive || isFetched);
  const last = useQuery({ ...lastPictureQuery(place), enabled: stream !== undefined && isWithout }).data;
  return useBlobUrl(known ?? (last instanceof Blob ? last : undefined));
}

/** Small picture of a stream; a drawn one where there is none. The name beside it describes it to screen readers. */
export function Thumbnail({ stream, isLive, isDimmed = false }: ThumbnailProps) {
  return <Framed url={useStreamPicture(stream, isLive)} isLive={isLive && !isDimmed} />;
}

interface PictureFrameProps {
  picture: Blob | undefined;
  isLive: boolean;
  /** Only where no text beside it tells what is shown. */
  alt?: string;
}

/** A picture that is no stream's, in the same shape. */
export function PictureFrame({ picture, ...frame }: PictureFrameProps) {
  return <Framed url={useBlobUrl(picture)} {...frame} />;
}

interface FramedProps {
  url: string | undefined;
  isLive: boolean;
  alt?: string;
}

function Framed({ url, isLive, alt = '' }: FramedProps) {
  return (
    <span className={classes.frame} data-off={!isLive || undefined}>
      {url ? <img className={classes.image} src={url} alt={alt} /> : <DrawnPicture />}
    </span>
  );
}

/** Hills and a sun in a frame. */
function DrawnPicture() {
  return (
    <svg viewBox="0 0 48 32" className={classes.drawn} aria-hidden="true" fill="none" stroke="currentColor">
      <rect x="1" y="1" width="46" height="30" rx="4" strokeWidth="2" />
      <circle cx="34" cy="11" r="4" fill="currentColor" stroke="none" />
      <path d="M2 27 15 14l9 9 6-5 16 11" strokeWidth="2" strokeLinejoin="round" />
    </svg>
  );
}

/** Object URL of a blob, revoked when the blob changes. */
export function useBlobUrl(blob: Blob | undefined): string | undefined {
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    if (!blob) {
      setUrl(undefined);
      return;
    }
    const made = URL.createObjectURL(blob);
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [blob]);
  return url;
}
