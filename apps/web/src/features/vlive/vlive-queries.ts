import { type VliveOutlet, vliveApi } from '@weir/contract';
import { outletQueries } from '../../components/outlets/outlet-queries.ts';
import type { SendOutlet } from '../../components/outlets/use-outlet-actions.ts';
import { client } from '../../lib/api.ts';

export const vliveQueries = outletQueries('vlive', {
  slots: (signal) => client.call(vliveApi.secret, {}, { signal }),
  rows: (signal) => client.call(vliveApi.streams, {}, { signal }),
});

export const sendVlive: SendOutlet<VliveOutlet> = {
  feature: 'vlive',
  update: (slot) => client.call(vliveApi.secret, { ...slot, action: 'update' }),
  remove: (platform) => client.call(vliveApi.secret, { action: 'remove', platform }),
};
