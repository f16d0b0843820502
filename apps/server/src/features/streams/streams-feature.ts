import { streamsApi } from '@weir/contract';
import type { HttpApp } from '../../core/http/http-app.ts';
import type { MediaServer } from '../../media-server/media-server.ts';
import { StreamsService } from './streams-service.ts';

export function streamsRoutes(http: HttpApp, mediaServer: MediaServer): void {
  const streams = new StreamsService(mediaServer);
  http.route(streamsApi.query, async () => ({ streams: await streams.list() }));
  http.route(streamsApi.kickoff, async (target) => {
    await streams.kickOff(target);
    return null;
  });
}
