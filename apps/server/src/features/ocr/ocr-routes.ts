import { ocrApi } from '@weir/contract';
import type { HttpApp } from '../../core/http/http-app.ts';
import type { OcrService } from './ocr-service.ts';

/** Wire ↔ service. The test of a provider, which has its path here, is the business of the AI settings. */
export function ocrRoutes(http: HttpApp, service: OcrService): void {
  http.route(ocrApi.query, () => service.query());
  http.route(ocrApi.apply, (change) => service.apply(change));
  http.route(ocrApi.reset, ({ uuid }) => service.reset(uuid));
  http.route(ocrApi.state, () => service.state());
  http.route(ocrApi.liveQueue, () => service.queue('live'));
  http.route(ocrApi.ocrQueue, () => service.queue('ocr'));
  http.route(ocrApi.callbackQueue, () => service.queue('callback'));
  http.route(ocrApi.cleanupQueue, () => service.queue('cleanup'));
}
