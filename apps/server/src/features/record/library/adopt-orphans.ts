import { stat } from 'node:fs/promises';
import { SegmentLog, sumSegments } from '../../../segments/segment-log.ts';
import type { RecordingFiles } from './recording-files.ts';
import { RecordingRow } from './recording-repository.ts';

/**
 * Rows for directories that have none: the store was restored from an older copy, or a crash came between the two. What
 * holds a segment is finished like any other; what holds none is removed.
 */
export async function adoptOrphans(files: RecordingFiles, known: ReadonlySet<string>): Promise<RecordingRow[]> {
  const adopted: RecordingRow[] = [];
  for (const uuid of await files.uuids()) {
    if (known.has(uuid)) continue;
    const log = new SegmentLog(files.file(uuid, 'segments.log'));
    const segments = await log.repair();
    const head = await log.head();
    const last = segments.at(-1);
    if (!head || !last) {
      await files.remove(uuid);
      continue;
    }
    const mp4 = await stat(files.file(uuid, 'index.mp4')).catch(() => undefined);
    const picture = await stat(files.file(uuid, 'index.jpg')).catch(() => undefined);
    const facts = { uuid, ...head, ...sumSegments(segments), endedAtMs: last.atMs, updatedAtMs: last.atMs };
    const made = { mp4Bytes: mp4?.size ?? 0, hasThumbnail: picture !== undefined };
    // Some may be removed already, so the fate of the others is decided again.
    const segmentsAre = mp4 && !(await files.hasSegments(uuid, segments)) ? 'leaving' : 'kept';
    // Unknown what was reported: no report is better than two.
    const told = { beginTold: true, endTold: mp4 !== undefined };
    adopted.push(RecordingRow.parse({ ...facts, ...made, ...told, segmentsAre, state: mp4 ? 'done' : 'finishing' }));
  }
  return adopted;
}
