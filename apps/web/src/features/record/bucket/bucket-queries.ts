import { queryOptions } from '@tanstack/react-query';
import { cloudApi, cloudPollMs } from '@weir/contract';
import { client } from '../../../lib/api.ts';
import { whileSignedIn } from '../../../lib/queries/while-signed-in.ts';

export const bucketQuery = queryOptions({
  queryKey: ['bucket'],
  queryFn: ({ signal }) => client.call(cloudApi.bucketQuery, {}, { signal }),
  refetchInterval: whileSignedIn(cloudPollMs),
});
