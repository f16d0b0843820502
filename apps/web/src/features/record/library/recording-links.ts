import { type Recording, type RecordLink, recordPaths, type TranscriptFormat } from '@weir/contract';

/** Path of a recording for clients with the API secret: the MP4 file if there is one. */
export function recordingPath({ uuid, mp4Bytes }: Pick<Recording, 'uuid' | 'mp4Bytes'>): string {
  return mp4Bytes > 0 ? recordPaths.mp4(uuid) : recordPaths.m3u8(uuid);
}

export interface RecordingLinks {
  readonly watch: string;
  readonly m3u8: string;
  /** Undefined while there is no file. */
  readonly mp4: string | undefined;
}

interface WatchPage {
  readonly title: string;
  /** Start position in seconds; default: the beginning. */
  readonly startSeconds?: number | undefined;
}

/** Full URLs that open this recording without sign-in, until the link expires. */
export function recordingLinks(
  { mp4Bytes }: Pick<Recording, 'mp4Bytes'>,
  link: RecordLink,
  { title, startSeconds = 0 }: WatchPage,
): RecordingLinks {
  const whole = (path: string) => new URL(path, window.location.href).href;
  const mp4 = mp4Bytes > 0 ? whole(link.mp4) : undefined;
  const m3u8 = whole(link.m3u8);
  const query = new URLSearchParams({ url: mp4 ?? m3u8, title });
  if (startSeconds > 0) query.set('t', String(Math.floor(startSeconds)));
  return { watch: whole(`/tools/player.html?${query}`), m3u8, mp4 };
}

type Named = Pick<Recording, 'app' | 'stream' | 'quality' | 'startedAt'>;
export type FileForm = TranscriptFormat | 'mp4';

/** Makes the browser save a URL of this server under a descriptive name. */
export function saveFile(href: string, recording: Named, form: FileForm): void {
  const link = document.createElement('a');
  link.href = href;
  link.download = fileName(recording, form);
  link.click();
}

/** `live-show-2026-03-01T08-00-00.mp4`, for a translation `….de.srt`, without characters that file systems refuse. */
export function fileName({ app, stream, quality, startedAt }: Named, form: FileForm, language = ''): string {
  const source = [app, stream, ...(quality === '' ? [] : [quality])].join('-');
  const name = `${source}-${startedAt.slice(0, 19)}${language && `.${language}`}`;
  return `${name.replace(/[\\/:*?"<>|\p{Cc}]/gu, '-')}.${form}`;
}
