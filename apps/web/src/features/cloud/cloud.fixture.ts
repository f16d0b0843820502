import type { cloudApi, DataOf } from '@weir/contract';
import { noBacklog } from '../../testing/no-backlog.fixture.ts';

export const dvrOff: DataOf<typeof cloudApi.dvrQuery> = { all: false, secret: true, backlog: noBacklog };
export const vodOff: DataOf<typeof cloudApi.vodQuery> = { ...dvrOff, service: true, storage: true };
