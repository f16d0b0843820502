import type { Recording } from '@weir/contract';
import { streamLabel } from '@weir/streams';
import { recordedBytes } from './recorded.ts';

export const librarySorts = ['newest', 'oldest', 'longest', 'largest', 'name'] as const;
type LibrarySort = (typeof librarySorts)[number];

/** Filter and order of the library. Empty texts filter nothing; days are `2026-03-01` in local time. */
export interface LibraryView {
  readonly stream: string;
  readonly from: string;
  readonly to: string;
  readonly sort: LibrarySort;
}

export const wholeLibrary: LibraryView = { stream: '', from: '', to: '', sort: 'newest' };

export function isFiltered({ stream, from, to }: LibraryView): boolean {
  return stream !== '' || from !== '' || to !== '';
}

export function viewLibrary(recordings: readonly Recording[], { stream, from, to, sort }: LibraryView): Recording[] {
  return recordings
    .filter((recording) => {
      const day = formatDay(recording.startedAt);
      return (
        (stream === '' || streamLabel(recording) === stream) && (from === '' || day >= from) && (to === '' || day <= to)
      );
    })
    .sort((a, b) => compare[sort](a, b) || a.uuid.localeCompare(b.uuid));
}

export function listStreams(recordings: readonly Recording[]): string[] {
  return [...new Set(recordings.map(streamLabel))].sort((a, b) => a.localeCompare(b));
}

/** Only finished recordings can be deleted. */
export function isOver({ state }: Recording): boolean {
  return state === 'done' || state === 'failed';
}

const compare: Record<LibrarySort, (a: Recording, b: Recording) => number> = {
  // Recordings in progress change all the time; sorting by their last change would make rows jump.
  newest: (a, b) => lastChange(b).localeCompare(lastChange(a)),
  oldest: (a, b) => a.startedAt.localeCompare(b.startedAt),
  longest: (a, b) => b.duration - a.duration,
  largest: (a, b) => recordedBytes(b) - recordedBytes(a),
  name: (a, b) => streamLabel(a).localeCompare(streamLabel(b)) || b.startedAt.localeCompare(a.startedAt),
};

function lastChange({ state, startedAt, update }: Recording): string {
  return state === 'recording' ? `9${startedAt}` : update;
}

function formatDay(at: string): string {
  const date = new Date(at);
  const pad = (value: number) => String(value).padStart(2, '0');
  return `${date.getFullYear()}-${pad(date.getMonth() + 1)}-${pad(date.getDate())}`;
}
