import { queryOptions } from '@tanstack/react-query';
import { componentsApi, consoleTimes } from '@weir/contract';
import { client, isSignInEnded } from '../../../lib/api.ts';

export const componentsQuery = queryOptions({
  queryKey: ['components'],
  queryFn: ({ signal }) => client.call(componentsApi.query, {}, { signal }),
  refetchInterval: ({ state }) => (isSignInEnded(state.error) ? false : consoleTimes.componentsPollMs),
});
