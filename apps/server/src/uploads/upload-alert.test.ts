import type { UploadBacklog } from '@weir/contract';
import { expect, it } from 'vitest';
import { uploadAlert } from './upload-alert.ts';

const since = '2026-01-01T00:00:00.000Z';
const backlog = (facts: Partial<UploadBacklog>): UploadBacklog => ({
  files: 3,
  bytes: 100,
  since,
  failure: '',
  error: '',
  nextTry: '',
  lost: 0,
  ...facts,
});

const record = { page: 'scenario', tab: 'record', child: '' } as const;
const vod = { page: 'scenario', tab: 'others', child: 'vod' } as const;

it('raises no alert for files that wait their turn, but for files that the storage refuses', () => {
  expect(uploadAlert('record', record, backlog({}))).toEqual([]);
  expect(uploadAlert('record', record, backlog({ failure: 'wrong-key' }))).toMatchObject([
    { kind: 'upload', severity: 'warn', since, count: 3, cause: 'wrong-key', place: { tab: 'record', child: '' } },
  ]);
  expect(uploadAlert('vod', vod, backlog({ failure: 'busy', lost: 1 }))).toMatchObject([
    { severity: 'bad', place: { tab: 'others', child: 'vod' } },
  ]);
});

it('clears the alert once nothing waits', () => {
  expect(uploadAlert('vod', vod, backlog({ files: 0, lost: 4 }))).toEqual([]);
});
