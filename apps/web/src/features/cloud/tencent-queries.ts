import { queryOptions } from '@tanstack/react-query';
import { cloudApi, cloudPollMs, type UploadBacklog } from '@weir/contract';
import { client } from '../../lib/api.ts';
import { whileSignedIn } from '../../lib/queries/while-signed-in.ts';
import type { TencentKind } from './tencent-kind.ts';

/** The account and the switch of one kind, and what waits for the cloud. */
export interface TencentState {
  readonly all: boolean;
  readonly secret: boolean;
  /** What video on demand needs beside the key. */
  readonly service?: boolean;
  readonly storage?: boolean;
  readonly backlog: UploadBacklog;
}

/** What all queries begin with. */
export const tencentKey = ['tencent'];

export const stateQuery = (kind: TencentKind) =>
  queryOptions({
    queryKey: [...tencentKey, kind],
    queryFn: ({ signal }): Promise<TencentState> =>
      kind === 'dvr' ? client.call(cloudApi.dvrQuery, {}, { signal }) : client.call(cloudApi.vodQuery, {}, { signal }),
    refetchInterval: whileSignedIn(cloudPollMs),
    meta: { endsSession: true },
  });

export const recordingsQuery = queryOptions({
  queryKey: [...tencentKey, 'recordings'],
  queryFn: ({ signal }) => client.call(cloudApi.dvrFiles, {}, { signal }),
  refetchInterval: whileSignedIn(cloudPollMs),
});

export const videosQuery = queryOptions({
  queryKey: [...tencentKey, 'videos'],
  queryFn: ({ signal }) => client.call(cloudApi.vodFiles, {}, { signal }),
  refetchInterval: whileSignedIn(cloudPollMs),
});
