import { type CameraOutlet, cameraApi } from '@weir/contract';
import { outletQueries } from '../../components/outlets/outlet-queries.ts';
import type { SendOutlet } from '../../components/outlets/use-outlet-actions.ts';
import { client } from '../../lib/api.ts';

export const cameraQueries = outletQueries('camera', {
  slots: (signal) => client.call(cameraApi.secret, {}, { signal }),
  rows: (signal) => client.call(cameraApi.streams, {}, { signal }),
});

export const sendCamera: SendOutlet<CameraOutlet> = {
  feature: 'camera',
  update: (slot) => client.call(cameraApi.secret, { ...slot, action: 'update' }),
  remove: (platform) => client.call(cameraApi.secret, { action: 'remove', platform }),
};
