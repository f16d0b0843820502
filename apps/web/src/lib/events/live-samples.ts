import { hashKey, type QueryClient, queryOptions, skipToken } from '@tanstack/react-query';
import type { LiveEvents } from '@weir/contract';
import { type SampleTable, type StreamSampleField, streamSampleFields, type WirePlace } from '@weir/streams';
import { joinSamples } from '../join-samples.ts';

type Seconds = SampleTable<StreamSampleField>;

const nothing: Seconds = {
  at: [],
  columns: Object.fromEntries(streamSampleFields.map((field) => [field, []])) as unknown as Seconds['columns'],
};

/** Per-second samples of a stream, filled by events only. Older samples come with the stream details. */
export const liveSamplesQuery = ({ vhost, app, stream }: WirePlace) =>
  queryOptions<Seconds>({
    queryKey: ['stream-seconds', vhost, app, stream],
    queryFn: skipToken,
    initialData: nothing,
    staleTime: Number.POSITIVE_INFINITY,
  });

/** Appends a sample if the stream has an observer. */
export function appendSample(
  queries: QueryClient,
  { values, ...place }: LiveEvents['samples']['streams'][number],
  at: number,
): void {
  const { queryKey } = liveSamplesQuery(place);
  // Lookup by hash: searching would hash every query for each of a hundred streams, every second.
  if (!queries.getQueryCache().get(hashKey(queryKey))?.getObserversCount()) return;
  const columns = streamSampleFields.map((field, index) => [field, [values[index] ?? null]]);
  const second = { at: [at], columns: Object.fromEntries(columns) as Seconds['columns'] };
  queries.setQueryData(queryKey, (known) => joinSamples(known, second));
}
