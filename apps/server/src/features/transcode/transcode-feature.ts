import { transcodeApi } from '@weir/contract';
import type { HttpApp } from '../../core/http/http-app.ts';
import { TranscodeService } from './transcode-service.ts';

/** Encodes a live stream anew. */
export function transcodeRoutes(
  http: HttpApp,
  context: ConstructorParameters<typeof TranscodeService>[0],
): TranscodeService {
  const transcode = new TranscodeService(context);
  http.route(transcodeApi.query, () => transcode.query());
  http.route(transcodeApi.apply, (config) => transcode.apply(config));
  http.route(transcodeApi.task, () => transcode.task());
  return transcode;
}
