import { stat, statfs } from 'node:fs/promises';
import { JobError } from '../../../process-reports/job-error.ts';
import { voiceRate } from '../film/film-files.ts';
import type { GroupRow } from '../script/rows.ts';
import { duckingKey } from './mix-args.ts';

/** Disk space reserved for the rest of the server. */
const keptFreeBytes = 512 * 1024 * 1024;
/** Size of the encoded audio including container overhead. */
const soundBytesPerSecond = 24_000;

export interface ExportRoom {
  readonly needBytes: number;
  readonly freeBytes: number;
}

/** There is too little room on the disk; nothing was begun. */
export class NoRoomError extends JobError {
  readonly room: ExportRoom;

  constructor(room: ExportRoom) {
    super('no-space', 'not enough disk space for the video');
    this.room = room;
  }
}

/** Throws unless the film that is made of this one fits beside it: before hours of work, not after. */
export async function assertExportRoom(
  directory: string,
  { film, groups, filmSeconds }: { film: string; groups: readonly GroupRow[]; filmSeconds: number },
): Promise<void> {
  const spoken = groups.reduce((sum, { voice }) => sum + (voice?.seconds ?? 0), 0);
  const tracks = spoken * (voiceRate + duckingKey.rate) * 2;
  const needBytes = Math.ceil((await stat(film)).size + filmSeconds * soundBytesPerSecond + tracks);
  const { bavail, bsize } = await statfs(directory);
  const freeBytes = bavail * bsize;
  if (freeBytes - needBytes < keptFreeBytes) throw new NoRoomError({ needBytes, freeBytes });
}
