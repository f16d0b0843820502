import { QueryClient, QueryObserver } from '@tanstack/react-query';
import type { ForwardRow, Recording } from '@weir/contract';
import { expect, it } from 'vitest';
import { applyRows } from './live-rows.ts';

function shownQuery<Data>(queryKey: string[], data: Data) {
  const queries = new QueryClient();
  queries.setQueryData(queryKey, data, { updatedAt: 1 });
  const leave = new QueryObserver(queries, {
    queryKey,
    queryFn: () => data,
    staleTime: Number.POSITIVE_INFINITY,
  }).subscribe(() => undefined);
  return {
    queries,
    leave,
    shown: () => queries.getQueryData<Data>(queryKey),
    state: () => queries.getQueryState(queryKey),
  };
}

const numbers = { fps: 25, kbps: 900, speed: 1, droppedFrames: 0, mediaMs: 1000 };
const process = {
  state: 'live',
  since: '',
  failures: 0,
  starts: 1,
  failure: null,
  nextTry: '',
  lastExit: null,
  numbers,
} as const;

function row(platform: string, state: ForwardRow['process']['state']): ForwardRow {
  return { platform, enabled: true, custom: false, label: '', process: { ...process, state } };
}

function recording(uuid: string, state: Recording['state']): Recording {
  return { uuid, state, nn: 1, duration: 10, size: 100 } as Recording;
}

it('updates numbers of live rows that are shown, and their age', () => {
  const { queries, shown, state, leave } = shownQuery(['forward', 'rows'], [row('wx', 'live'), row('bilibili', 'off')]);
  const event = {
    processes: { 'forward/wx': [30, 1200, 1, 2, 5000], 'forward/bilibili': [1, 1, 1, 1, 1] },
    recordings: {},
  };
  applyRows(queries, event);
  const latest = { fps: 30, kbps: 1200, speed: 1, droppedFrames: 2, mediaMs: 5000 };
  expect(shown()?.map((each) => each.process.numbers)).toEqual([latest, numbers]);
  expect(Date.now() - (state()?.dataUpdatedAt ?? 0)).toBeLessThan(2000);
  leave();
  applyRows(queries, { processes: { 'forward/wx': [1, 1, 1, 1, 1] }, recordings: {} });
  expect(shown()?.[0]?.process.numbers).toEqual(latest);
});

it('leaves data alone that has to be fetched again', () => {
  const { queries, shown } = shownQuery(['forward', 'rows'], [row('wx', 'live')]);
  void queries.invalidateQueries({ queryKey: ['forward'], refetchType: 'none' });
  applyRows(queries, { processes: { 'forward/wx': [1, 1, 1, 1, 1] }, recordings: {} });
  expect(shown()?.[0]?.process.numbers).toEqual(numbers);
});

it('updates size and length of a recording that runs', () => {
  const running = recording('a', 'recording');
  const { queries, shown } = shownQuery(['record', 'files'], [running, recording('b', 'done')]);
  applyRows(queries, { processes: {}, recordings: { a: [7, 70, 7000], b: [1, 1, 1] } });
  expect(shown()?.[0]).toMatchObject({ nn: 7, duration: 70, size: 7000 });
  expect(shown()?.[1]).toEqual(recording('b', 'done'));
});
