import type { cloudApi, DataOf } from '@weir/contract';
import { noBacklog } from '../../../testing/no-backlog.fixture.ts';

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
