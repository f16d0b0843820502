import { queryOptions } from '@tanstack/react-query';
import { componentsApi, consoleTimes } from '@weir/contract';
import { client } from '../../../lib/api.ts';
import { pollUnlessEventsArrive } from '../../../lib/queries/polling.ts';

export const componentsQuery = queryOptions({
  queryKey: ['components'],
  queryFn: ({ signal }) => client.call(componentsApi.query, {}, { signal }),
  refetchInterval: pollUnlessEventsArrive(consoleTimes.componentsPollMs),
});
