import { hashKey, type QueryClient, type QueryKey } from '@tanstack/react-query';
import {
  type LiveEvents,
  type OutletRow,
  outletProcessKey,
  type ProcessNumbers,
  type ProcessReport,
  processFigures,
  type Recording,
  recordingFigures,
  slotPrefixes,
  type TranscodeTask,
  transcodeProcessKey,
} from '@weir/contract';

type Rows = LiveEvents['rows'];

const features = Object.keys(slotPrefixes) as (keyof typeof slotPrefixes)[];

/**
 * Writes the numbers of the last second into the queries that show rows, so that pages need not poll. States come with the rows
 * themselves, which are queried again when they change.
 */
export function applyRows(queries: QueryClient, { processes, recordings }: Rows): void {
  for (const feature of features)
    patch<OutletRow[]>(queries, [feature, 'rows'], (rows) =>
      rows.map((row) => withNumbers(row, processes[outletProcessKey(feature, row.platform)])),
    );
  patch<TranscodeTask>(queries, ['transcode', 'task'], (task) => withNumbers(task, processes[transcodeProcessKey]));
  patch<Recording[]>(queries, ['record', 'files'], (files) =>
    files.map((file) => {
      const values = recordings[file.uuid];
      return values && file.state === 'recording'
        ? { ...file, ...(byField(recordingFigures, values) as RecordingNumbers) }
        : file;
    }),
  );
}

/** Updates only data that is shown; other data is fetched when it is needed. */
function patch<Data>(queries: QueryClient, queryKey: QueryKey, change: (data: Data) => Data): void {
  const query = queries.getQueryCache().get(hashKey(queryKey));
  // Data that is known to be out of date stays so, and a failed query keeps saying that it failed.
  if (!query?.isActive() || query.state.isInvalidated || query.state.status !== 'success') return;
  queries.setQueryData<Data>(queryKey, (data) => data && change(data));
}

function withNumbers<Row extends { readonly process: ProcessReport }>(row: Row, values: Values | undefined): Row {
  if (!values || row.process.state !== 'live') return row;
  const numbers = byField(processFigures, values) as ProcessNumbers;
  return { ...row, process: { ...row.process, numbers } };
}

type RecordingNumbers = Pick<Recording, (typeof recordingFigures)[number]>;

type Values = Rows['processes'][string];

function byField<Field extends string>(fields: readonly Field[], values: Values): Record<Field, number | null> {
  return Object.fromEntries(fields.map((field, at) => [field, values[at] ?? null])) as Record<Field, number | null>;
}
