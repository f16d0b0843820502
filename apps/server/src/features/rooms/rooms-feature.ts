import { roomsApi } from '@weir/contract';
import type { Log } from '@weir/plane';
import type { Clock } from '../../core/clock.ts';
import type { Feature } from '../../core/feature.ts';
import type { Store } from '../../core/store/store.ts';
import { RoomsService } from './rooms-service.ts';

interface Context {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
}

/** Live rooms: a stream name with a secret of its own, and what belongs to it. */
export function roomsFeature({ store, clock, log }: Context): Feature & { readonly service: RoomsService } {
  const service = new RoomsService({ store, clock, log: log.child({ feature: 'rooms' }) });
  return {
    routes: (http) => {
      http.route(roomsApi.create, ({ title }) => service.create(title));
      http.route(roomsApi.query, ({ uuid }) => service.query(uuid));
      http.route(roomsApi.update, (change) => service.update(change));
      http.route(roomsApi.list, async () => ({ rooms: await service.list() }));
      http.route(roomsApi.remove, ({ uuid }) => service.remove(uuid));
      http.route(roomsApi.rotate, ({ uuid }) => service.rotate(uuid));
    },
    service,
  };
}
