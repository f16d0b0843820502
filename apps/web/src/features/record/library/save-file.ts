import type { Recording, TranscriptForm } from '@weir/contract';

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
