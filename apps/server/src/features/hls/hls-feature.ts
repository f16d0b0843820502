import { hlsApi } from '@weir/contract';
import type { Feature } from '../../core/feature.ts';
import type { Store } from '../../core/store/store.ts';
import type { MediaServer } from '../../media-server/media-server.ts';
import { HlsService } from './hls-service.ts';

interface Context {
  readonly store: Store;
  readonly mediaServer: MediaServer;
}

/** How HLS is made and handed out. */
export function hlsFeature(context: Context): Feature & { readonly service: HlsService } {
  const service = new HlsService(context);
  return {
    routes: (http) => {
      http.route(hlsApi.queryDelivery, async () => ({ noHlsCtx: (await service.query()).noHlsCtx }));
      http.route(hlsApi.queryLatency, async () => ({ hlsLowLatency: (await service.query()).hlsLowLatency }));
      http.route(hlsApi.updateDelivery, ({ noHlsCtx }) => service.update({ noHlsCtx }));
      http.route(hlsApi.updateLatency, ({ hlsLowLatency }) => service.update({ hlsLowLatency }));
    },
    reported: () => service.query(),
    service,
  };
}
