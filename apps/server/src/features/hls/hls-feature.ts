import { hlsApi } from '@weir/contract';
import type { HttpApp } from '../../core/http/http-app.ts';
import type { HlsService } from './hls-service.ts';

export function hlsRoutes(http: HttpApp, hls: HlsService): void {
  http.route(hlsApi.queryDelivery, async () => ({ noHlsCtx: (await hls.query()).noHlsCtx }));
  http.route(hlsApi.queryLatency, async () => ({ hlsLowLatency: (await hls.query()).hlsLowLatency }));
  http.route(hlsApi.updateDelivery, ({ noHlsCtx }) => hls.update({ noHlsCtx }));
  http.route(hlsApi.updateLatency, ({ hlsLowLatency }) => hls.update({ hlsLowLatency }));
}
