import { queryOptions } from '@tanstack/react-query';
import { bucketApi, cloudPollMs } from '@weir/contract';
import { client } from '../../../lib/api.ts';
import { whileSignedIn } from '../../../lib/queries/while-signed-in.ts';

export const bucketQuery = queryOptions({
  queryKey: ['bucket'],
  queryFn: ({ signal }) => client.call(bucketApi.query, {}, { signal }),
  refetchInterval: whileSignedIn(cloudPollMs),
});
