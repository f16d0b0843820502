import { expect, it } from 'vitest';
import { recordingFixture } from '../recording.fixture.ts';
import { listStreams, viewLibrary, wholeLibrary } from './library-view.ts';

// Times without a zone are local, like the days of the filter.
const at = (text: string) => new Date(text).toISOString();
const live = recordingFixture({
  uuid: 'live',
  state: 'recording',
  startedAt: at('2026-03-01T08:00'),
  update: at('2026-03-01T08:01'),
  duration: 1,
});
const late = recordingFixture({
  uuid: 'late',
  startedAt: at('2026-03-03T00:00'),
  update: at('2026-03-03T01:00'),
  duration: 10,
});
const early = recordingFixture({
  uuid: 'early',
  stream: 'other',
  startedAt: at('2026-02-01T23:59'),
  update: at('2026-02-02T00:30'),
  duration: 20,
  mp4Bytes: 5,
});
const all = [early, live, late];
const seen = (view: Partial<typeof wholeLibrary>) =>
  viewLibrary(all, { ...wholeLibrary, ...view }).map(({ uuid }) => uuid);

it('lists recordings in progress first, then by last change', () => {
  expect(seen({})).toEqual(['live', 'late', 'early']);
});

it('sorts by age, length, size and name', () => {
  expect(seen({ sort: 'oldest' })).toEqual(['early', 'live', 'late']);
  expect(seen({ sort: 'longest' })[0]).toBe('early');
  expect(seen({ sort: 'largest' }).at(-1)).toBe('early');
  expect(seen({ sort: 'name' })).toEqual(['early', 'late', 'live']);
});

it('filters by stream and by an inclusive range of start days', () => {
  expect(listStreams(all)).toEqual(['live/other', 'live/show']);
  expect(seen({ stream: 'live/show' })).toEqual(['live', 'late']);
  expect(seen({ from: '2026-03-01', to: '2026-03-01' })).toEqual(['live']);
  expect(seen({ to: '2026-02-01' })).toEqual(['early']);
  expect(seen({ from: '2026-03-04' })).toEqual([]);
});
