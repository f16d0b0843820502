import { queryOptions } from '@tanstack/react-query';
import { type Endpoint, platformApi } from '@weir/contract';
import { client } from '../../lib/api.ts';

const setting = <E extends Endpoint>(name: string, endpoint: E) =>
  queryOptions({
    queryKey: ['platform', name],
    queryFn: ({ signal }) => client.call(endpoint, undefined, { signal }),
  });

export const windowQuery = setting('window', platformApi.queryWindow);
export const homepageQuery = setting('homepage', platformApi.queryHomepage);
export const backendsQuery = setting('backends', platformApi.queryBackends);
export const monthlyUseQuery = setting('hours', platformApi.queryLimit);
