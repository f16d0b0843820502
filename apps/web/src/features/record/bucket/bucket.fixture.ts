import { type bucketApi, type DataOf, noBucket } from '@weir/contract';
import { noBacklog } from '../../../testing/no-backlog.fixture.ts';

export function bucketFixture(facts: Partial<DataOf<typeof bucketApi.query>> = {}): DataOf<typeof bucketApi.query> {
  return {
    ...noBucket,
    backlog: noBacklog,
    ...facts,
  };
}
