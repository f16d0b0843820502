import { queryOptions } from '@tanstack/react-query';
import { cloudApi, cloudPollMs, type UploadBacklog } from '@weir/contract';
import { client } from '../../lib/api.ts';
import { pollWhileSignedIn } from '../../lib/queries/polling.ts';
import type { CloudKind } from './cloud-kind.ts';

/** Account and switch of one kind, and the uploads that wait. */
export interface CloudState {
  readonly all: boolean;
  readonly secret: boolean;
  /** Parts that only video on demand needs. */
  readonly service?: boolean;
  readonly storage?: boolean;
  readonly backlog: UploadBacklog;
}

/** Common prefix of all cloud query keys. */
export const cloudKey = ['cloud'];

export const cloudStateQuery = (kind: CloudKind) =>
  queryOptions({
    queryKey: [...cloudKey, kind],
    queryFn: ({ signal }): Promise<CloudState> =>
      kind === 'dvr' ? client.call(cloudApi.dvrQuery, {}, { signal }) : client.call(cloudApi.vodQuery, {}, { signal }),
    refetchInterval: pollWhileSignedIn(cloudPollMs),
    meta: { endsSession: true },
  });

export const cloudRecordingsQuery = queryOptions({
  queryKey: [...cloudKey, 'recordings'],
  queryFn: ({ signal }) => client.call(cloudApi.dvrFiles, {}, { signal }),
  refetchInterval: pollWhileSignedIn(cloudPollMs),
});

export const cloudVideosQuery = queryOptions({
  queryKey: [...cloudKey, 'videos'],
  queryFn: ({ signal }) => client.call(cloudApi.vodFiles, {}, { signal }),
  refetchInterval: pollWhileSignedIn(cloudPollMs),
});
