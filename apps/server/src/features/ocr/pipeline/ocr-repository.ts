import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import type { Store } from '../../../core/store/store.ts';
import { rowShelf } from '../../../pipelines/segment-rows.ts';
import { OcrRow } from './ocr-row.ts';

/** The task, and where it stands. */
const TaskRow = z.object({
  uuid: z.uuid(),
  epoch: z.int().default(0),
  /** Stream that it reads or read last, as `vhost/app/name`. */
  place: z.string().default(''),
});
export type TaskRow = z.output<typeof TaskRow>;

/** Stored state of OCR. */
export class OcrRepository {
  readonly task;
  readonly segments;

  constructor(store: Store) {
    this.task = store.single('ocr/task', TaskRow);
    this.segments = rowShelf(store.collection('ocr-segments', OcrRow));
  }
}

export function newTask(): TaskRow {
  return { uuid: randomUUID(), epoch: 0, place: '' };
}
