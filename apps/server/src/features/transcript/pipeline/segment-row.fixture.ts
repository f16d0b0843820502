import { randomUUID } from 'node:crypto';
import { SegmentRow } from './segment-row.ts';

export const pipelineUuid = '00000000-0000-4000-8000-000000000001';

export function segmentRow(facts: Partial<SegmentRow> = {}): SegmentRow {
  return SegmentRow.parse({
    id: randomUUID(),
    lane: pipelineUuid,
    order: 0,
    sequence: facts.order ?? 0,
    epoch: 1,
    isDiscontinuity: false,
    vhost: '__defaultVhost__',
    app: 'live',
    stream: 'show',
    clientId: 'c1',
    atMs: 0,
    durationMs: 2000,
    startMs: 0,
    bytes: 1000,
    queue: 'overlay',
    video: 'h264',
    ...facts,
  });
}
