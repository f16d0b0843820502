import { queryOptions } from '@tanstack/react-query';
import { cloudApi, cloudPollMs } from '@weir/contract';
import { client, isSignInEnded } from '../../lib/api.ts';

const polled = {
  refetchInterval: ({ state }: { state: { error: unknown } }) => (isSignInEnded(state.error) ? false : cloudPollMs),
} as const;

export const bucketQuery = queryOptions({
  queryKey: ['cloud', 'bucket'],
  queryFn: ({ signal }) => client.call(cloudApi.bucketQuery, {}, { signal }),
  ...polled,
});

export const dvrQuery = queryOptions({
  queryKey: ['cloud', 'dvr'],
  queryFn: ({ signal }) => client.call(cloudApi.dvrQuery, {}, { signal }),
  ...polled,
  meta: { endsSession: true },
});

export const dvrFilesQuery = queryOptions({
  queryKey: ['cloud', 'dvr-files'],
  queryFn: ({ signal }) => client.call(cloudApi.dvrFiles, {}, { signal }),
  ...polled,
});

export const vodQuery = queryOptions({
  queryKey: ['cloud', 'vod'],
  queryFn: ({ signal }) => client.call(cloudApi.vodQuery, {}, { signal }),
  ...polled,
  meta: { endsSession: true },
});

export const vodFilesQuery = queryOptions({
  queryKey: ['cloud', 'vod-files'],
  queryFn: ({ signal }) => client.call(cloudApi.vodFiles, {}, { signal }),
  ...polled,
});

/** What all begin with. */
export const cloudKey = ['cloud'];
