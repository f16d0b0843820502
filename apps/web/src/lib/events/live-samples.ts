import { hashKey, type QueryClient, queryOptions, skipToken } from '@tanstack/react-query';
import type { LiveEvents } from '@weir/contract';
import { type SampleTable, type StreamSampleField, streamSampleFields, type WirePlace } from '@weir/dialect';
import { joinSamples } from '../join-samples.ts';

type Seconds = SampleTable<StreamSampleField>;

const nothing: Seconds = {
  at: [],
  columns: Object.fromEntries(streamSampleFields.map((field) => [field, []])) as unknown as Seconds['columns'],
};

/** The seconds of a stream that news have brought. Nobody asks for them: who wants those before looks at its detail. */
export const liveSamplesQuery = ({ vhost, app, stream }: WirePlace) =>
  queryOptions<Seconds>({
    queryKey: ['stream-seconds', vhost, app, stream],
    queryFn: skipToken,
    initialData: nothing,
    staleTime: Number.POSITIVE_INFINITY,
  });

/** Adds a second, where somebody looks at the stream. */
export function appendSample(
  queries: QueryClient,
  { values, ...place }: LiveEvents['samples']['streams'][number],
  at: number,
): void {
  const { queryKey } = liveSamplesQuery(place);
  // Looked up by its hash: to search would hash all that is known, for each of a hundred streams, every second.
  if (!queries.getQueryCache().get(hashKey(queryKey))?.getObserversCount()) return;
  const columns = streamSampleFields.map((field, index) => [field, [values[index] ?? null]]);
  const second = { at: [at], columns: Object.fromEntries(columns) as Seconds['columns'] };
  queries.setQueryData(queryKey, (known) => joinSamples(known, second));
}
