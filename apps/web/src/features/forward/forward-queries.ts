import { type ForwardOutlet, forwardApi } from '@weir/contract';
import { outletQueries } from '../../components/outlets/outlet-queries.ts';
import type { SendOutlet } from '../../components/outlets/use-outlet-actions.ts';
import { client } from '../../lib/api.ts';

export const forwardQueries = outletQueries('forward', {
  slots: (signal) => client.call(forwardApi.secret, {}, { signal }),
  rows: (signal) => client.call(forwardApi.streams, {}, { signal }),
});

export const sendForward: SendOutlet<ForwardOutlet> = {
  feature: 'forward',
  update: (slot) => client.call(forwardApi.secret, { ...slot, action: 'update' }),
  remove: (platform) => client.call(forwardApi.secret, { action: 'remove', platform }),
};
