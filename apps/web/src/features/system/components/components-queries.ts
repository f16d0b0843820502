import { queryOptions } from '@tanstack/react-query';
import { componentsApi, consoleTimes } from '@weir/contract';
import { client } from '../../../lib/api.ts';
import { whileSignedIn } from '../../../lib/queries/while-signed-in.ts';

export const componentsQuery = queryOptions({
  queryKey: ['components'],
  queryFn: ({ signal }) => client.call(componentsApi.query, {}, { signal }),
  refetchInterval: whileSignedIn(consoleTimes.componentsPollMs),
});
