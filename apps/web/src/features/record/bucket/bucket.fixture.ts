import type { bucketApi, DataOf } from '@weir/contract';
import { noBacklog } from '../../../testing/no-backlog.fixture.ts';

export function bucketOf(facts: Partial<DataOf<typeof bucketApi.query>> = {}): DataOf<typeof bucketApi.query> {
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
