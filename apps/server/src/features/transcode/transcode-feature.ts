import { transcodeApi } from '@weir/contract';
import type { Feature } from '../../core/feature.ts';
import { type TranscodeContext, TranscodeService } from './transcode-service.ts';

/** Encodes a live stream anew. */
export function transcodeFeature(context: TranscodeContext): Feature {
  const transcode = new TranscodeService(context);
  return {
    routes: (http) => {
      http.route(transcodeApi.query, () => transcode.query());
      http.route(transcodeApi.apply, (config) => transcode.apply(config));
      http.route(transcodeApi.task, () => transcode.task());
    },
    alerts: () => transcode.alerts(),
    reported: async () => {
      const { server: _server, secret: _secret, ...config } = await transcode.query();
      return config;
    },
  };
}
