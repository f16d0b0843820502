import { limits, streamsApi } from '@weir/contract';
import { previewParameter, previewTicket } from '@weir/plane';
import type { Events } from '../../core/events.ts';
import type { HttpApp } from '../../core/http/http-app.ts';
import type { MediaServer } from '../../media-server/media-server.ts';
import { EndedStreams } from './ended-streams.ts';
import { PublishAttempts } from './publish-attempts.ts';
import { StreamsService } from './streams-service.ts';

interface Context {
  readonly mediaServer: MediaServer;
  readonly events: Events;
  /** Whether somebody who publishes is a job of ours; its tab tells how that goes. */
  readonly ownWork: { isOwnPublisher(publisher: OwnCandidate): Promise<boolean> };
  /** What both planes know: with it the engine tells the console's own picture from viewers. */
  readonly previewKey: string;
}

interface OwnCandidate {
  readonly vhost: string;
  readonly app: string;
  readonly stream: string;
  readonly address: string;
}

export function streamsRoutes(http: HttpApp, { mediaServer, events, ownWork, previewKey }: Context): void {
  const streams = new StreamsService(mediaServer);
  const attempts = new PublishAttempts();
  const ended = new EndedStreams();
  events.on('publish:refused', async (refused) => {
    // Not knowing is no reason to hide it.
    if (!(await ownWork.isOwnPublisher(refused).catch(() => false))) attempts.add(refused);
  });
  events.on('stream:published', (stream) => {
    attempts.forget(stream);
    ended.forget(stream);
  });
  events.on('stream:ended', (stream) => ended.add(stream));
  http.route(streamsApi.query, async () => ({ streams: await streams.list(), ended: ended.list() }));
  http.route(streamsApi.preview, (place) => {
    const expiresAtMs = Date.now() + limits.previewMs;
    const ticket = previewTicket(previewKey, place, expiresAtMs);
    return { query: `${previewParameter}=${ticket}`, expireAt: new Date(expiresAtMs).toISOString() };
  });
  http.route(streamsApi.attempts, () => ({ attempts: attempts.list() }));
  http.route(streamsApi.kickoff, (target) => streams.kickOff(target));
}
