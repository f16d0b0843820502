import { queryOptions } from '@tanstack/react-query';
import { componentsApi, consoleTimes } from '@weir/contract';
import { client } from '../../../lib/api.ts';
import { whileUnheard } from '../../../lib/queries/while-signed-in.ts';

export const componentsQuery = queryOptions({
  queryKey: ['components'],
  queryFn: ({ signal }) => client.call(componentsApi.query, {}, { signal }),
  refetchInterval: whileUnheard(consoleTimes.componentsPollMs),
});
