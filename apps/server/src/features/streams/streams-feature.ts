import { streamsApi } from '@weir/contract';
import type { Events } from '../../core/events.ts';
import type { HttpApp } from '../../core/http/http-app.ts';
import type { MediaServer } from '../../media-server/media-server.ts';
import { PublishAttempts } from './publish-attempts.ts';
import { StreamsService } from './streams-service.ts';

interface Context {
  readonly mediaServer: MediaServer;
  readonly events: Events;
}

export function streamsRoutes(http: HttpApp, { mediaServer, events }: Context): void {
  const streams = new StreamsService(mediaServer);
  const attempts = new PublishAttempts();
  events.on('publish:refused', (refused) => attempts.add(refused));
  events.on('stream:published', (stream) => attempts.forget(stream));
  http.route(streamsApi.query, async () => ({ streams: await streams.list() }));
  http.route(streamsApi.attempts, () => ({ attempts: attempts.list() }));
  http.route(streamsApi.kickoff, async (target) => {
    await streams.kickOff(target);
    return null;
  });
}
