import type { cloudApi, DataOf, UploadBacklog } from '@weir/contract';

export const noBacklog: UploadBacklog = { files: 0, bytes: 0, since: '', failure: '', error: '', nextTry: '', lost: 0 };

export function bucketOf(
  facts: Partial<DataOf<typeof cloudApi.bucketQuery>> = {},
): DataOf<typeof cloudApi.bucketQuery> {
  return {
    enabled: false,
    keepLocal: true,
    endpoint: '',
    region: '',
    bucket: '',
    accessKeyId: '',
    secretAccessKey: '',
    prefix: '',
    pathStyle: true,
    backlog: noBacklog,
    ...facts,
  };
}

export const dvrOff: DataOf<typeof cloudApi.dvrQuery> = { all: false, secret: true, backlog: noBacklog };
export const vodOff: DataOf<typeof cloudApi.vodQuery> = { ...dvrOff, service: true, storage: true };
