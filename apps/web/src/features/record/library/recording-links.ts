import { type Recording, type RecordLink, recordPaths, type TranscriptForm } from '@weir/contract';

/** Where a recording is played from by whoever has the API secret: the file once there is one. */
export function recordingPath({ uuid, mp4Bytes }: Pick<Recording, 'uuid' | 'mp4Bytes'>): string {
  return mp4Bytes > 0 ? recordPaths.mp4(uuid) : recordPaths.m3u8(uuid);
}

export interface RecordingLinks {
  /** A page that plays it, for people. */
  readonly watch: string;
  readonly m3u8: string;
  /** Undefined while there is no file. */
  readonly mp4: string | undefined;
}

interface WatchPage {
  readonly title: string;
  /** Where it begins to play; left out: at its beginning. */
  readonly startSeconds?: number | undefined;
}

/** Whole addresses that open this recording without signing in, while the link is good. */
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

type Named = Pick<Recording, 'app' | 'stream' | 'startedAt'>;
export type FileForm = TranscriptForm | 'mp4';

/** Has the browser save an address of this server under a name that says what it is. */
export function saveFile(href: string, recording: Named, form: FileForm): void {
  const link = document.createElement('a');
  link.href = href;
  link.download = fileName(recording, form);
  link.click();
}

/** `live-show-2026-03-01T08-00-00.mp4`, of a translation `….de.srt`, without what file systems do not take. */
export function fileName({ app, stream, startedAt }: Named, form: FileForm, language = ''): string {
  const name = `${app}-${stream}-${startedAt.slice(0, 19)}${language && `.${language}`}`;
  return `${name.replace(/[\\/:*?"<>|\p{Cc}]/gu, '-')}.${form}`;
}
