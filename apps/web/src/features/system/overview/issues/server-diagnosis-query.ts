import { queryOptions } from '@tanstack/react-query';
import { consoleTimes, systemApi } from '@weir/contract';
import { client } from '../../../../lib/api.ts';
import { mountingMs, whileUnheard } from '../../../../lib/queries/while-signed-in.ts';

/** What is wrong with the server itself. Part of the status: news of alerts are news of this. */
export const serverDiagnosisQuery = queryOptions({
  queryKey: ['status', 'diagnosis'],
  queryFn: ({ signal }) => client.call(systemApi.diagnosis, {}, { signal }),
  staleTime: mountingMs,
  refetchInterval: whileUnheard(consoleTimes.statusPollMs),
  refetchOnWindowFocus: true,
  meta: { quiet: true },
});
