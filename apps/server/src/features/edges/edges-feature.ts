import { edgesApi } from '@weir/contract';
import type { Clock } from '../../core/clock.ts';
import type { Feature } from '../../core/feature.ts';
import type { OutgoingClient } from '../../core/outgoing/request/outgoing-client.ts';
import type { Store } from '../../core/store/store.ts';
import type { MediaServer } from '../../media-server/media-server.ts';
import { EdgeHealth } from './edge-health.ts';
import { EdgesService } from './edges-service.ts';

interface Context {
  readonly store: Store;
  readonly clock: Clock;
  readonly mediaServer: MediaServer;
  readonly outgoing: Pick<OutgoingClient, 'send'>;
}

/** Caches of the owner's that deliver HLS in place of this server. */
export function edgesFeature(context: Context): Feature & { readonly service: EdgesService } {
  const health = new EdgeHealth(context);
  const service = new EdgesService({ ...context, health });
  return {
    routes: (http) => {
      http.route(edgesApi.query, () => service.query());
      http.route(edgesApi.update, ({ edges }) => service.update(edges));
      http.route(edgesApi.renewToken, () => service.renewToken());
    },
    tasks: { 'edge-health': (signal) => health.run(() => service.urls(), signal) },
    service,
  };
}
