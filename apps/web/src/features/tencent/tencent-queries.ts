import { queryOptions } from '@tanstack/react-query';
import { cloudApi, cloudPollMs } from '@weir/contract';
import { client } from '../../lib/api.ts';
import { whileSignedIn } from '../../lib/queries/while-signed-in.ts';

export const dvrQuery = queryOptions({
  queryKey: ['cloud', 'dvr'],
  queryFn: ({ signal }) => client.call(cloudApi.dvrQuery, {}, { signal }),
  refetchInterval: whileSignedIn(cloudPollMs),
  meta: { endsSession: true },
});

export const dvrFilesQuery = queryOptions({
  queryKey: ['cloud', 'dvr-files'],
  queryFn: ({ signal }) => client.call(cloudApi.dvrFiles, {}, { signal }),
  refetchInterval: whileSignedIn(cloudPollMs),
});

export const vodQuery = queryOptions({
  queryKey: ['cloud', 'vod'],
  queryFn: ({ signal }) => client.call(cloudApi.vodQuery, {}, { signal }),
  refetchInterval: whileSignedIn(cloudPollMs),
  meta: { endsSession: true },
});

export const vodFilesQuery = queryOptions({
  queryKey: ['cloud', 'vod-files'],
  queryFn: ({ signal }) => client.call(cloudApi.vodFiles, {}, { signal }),
  refetchInterval: whileSignedIn(cloudPollMs),
});

/** What all begin with. */
export const cloudKey = ['cloud'];
