import { type ActiveStream, type Diagnosis, limits, streamsApi } from '@weir/contract';
import { type Log, previewParameter, previewTicket } from '@weir/plane';
import type { Clock } from '../../core/clock.ts';
import type { Events } from '../../core/events.ts';
import { TtlCache } from '../../core/ttl-cache.ts';
import type { Feature } from '../../feature.ts';
import type { LiveStream, MediaServer } from '../../media-server/media-server.ts';
import { watchMediaServer } from '../../media-server/watch-media-server.ts';
import type { Timeline } from '../../timeline-store/timeline.ts';
import { EndedStreams } from './ended-streams.ts';
import { PublishAttempts } from './publish-attempts.ts';
import { Publishers } from './publishers.ts';
import { type KeyOf, StreamsService } from './streams-service.ts';

interface Context {
  readonly mediaServer: MediaServer;
  readonly events: Events;
  readonly log: Log;
  readonly clock: Clock;
  /** True if a publisher is our own program, whose state its tab shows. */
  readonly ownWork: { isOwnPublisher(publisher: OwnCandidate): Promise<boolean> };
  /** Key shared by both planes, with which the engine tells the console's preview from viewers. */
  readonly previewKey: string;
  /** Sends all settings to an engine that has just started. */
  readonly sendSettings: () => Promise<void>;
  readonly timeline: Pick<Timeline, 'note'>;
  readonly keyOf: KeyOf;
  /** Judges every live stream. */
  readonly judged: () => Promise<readonly { readonly stream: ActiveStream; readonly diagnosis: Diagnosis }[]>;
  /** Receives the live streams every few seconds. */
  readonly hours: { count(live: readonly LiveStream[]): Promise<void> };
}

interface OwnCandidate {
  readonly vhost: string;
  readonly app: string;
  readonly stream: string;
  readonly address: string;
}

interface Offers extends Feature {
  readonly publishers: Publishers;
  readonly service: StreamsService;
}

/** Concurrent callers share one judgement: it reads the measurements of all streams. */
const judgedMs = 100;

/** Live and recent streams of this server. */
export function streamsFeature(context: Context): Offers {
  const { mediaServer, events, clock, ownWork } = context;
  const streams = new StreamsService(mediaServer, clock, context.keyOf);
  const publishers = new Publishers(events, clock);
  const attempts = new PublishAttempts(clock);
  const ended = new EndedStreams(clock);
  const judged = new TtlCache(() => context.judged(), judgedMs, clock);
  const forget = () => {
    streams.forget();
    judged.forget();
  };
  events.on('publish:refused', async (refused) => {
    // An unknown state does not hide it.
    if (!(await ownWork.isOwnPublisher(refused).catch(() => false))) attempts.add(refused);
  });
  events.on('stream:published', (stream) => {
    forget();
    attempts.forget(stream);
    ended.forget(stream);
  });
  events.on('stream:ended', (stream) => {
    forget();
    // The end of a silent publisher is announced after its successor.
    if (!publishers.has(stream)) ended.add(stream);
  });
  return {
    routes: streamsRoutes(streams, { ...context, judged: () => judged.get(), attempts, ended }),
    tasks: { 'watch-media-server': (signal) => watch(context, publishers, signal) },
    publishers,
    service: streams,
  };
}

interface Shown extends Pick<Context, 'mediaServer' | 'clock' | 'previewKey' | 'timeline' | 'judged'> {
  readonly attempts: PublishAttempts;
  readonly ended: EndedStreams;
}

function streamsRoutes(streams: StreamsService, shown: Shown): Feature['routes'] {
  const { clock, previewKey, attempts, ended, timeline } = shown;
  return (http) => {
    http.route(streamsApi.query, async () => ({ streams: await listed(streams, shown), ended: ended.list() }));
    http.route(streamsApi.preview, (place) => {
      const expiresAtMs = clock.dateMs() + limits.previewMs;
      const ticket = previewTicket(previewKey, place, expiresAtMs);
      return { query: `${previewParameter}=${ticket}`, expireAt: new Date(expiresAtMs).toISOString() };
    });
    http.route(streamsApi.attempts, () => ({ attempts: attempts.list() }));
    http.route(streamsApi.kickoff, async (target) => {
      await streams.kickOff(target);
      timeline.note(target, { what: 'publisher-kicked' });
    });
    http.route(streamsApi.kickViewer, async (viewer) => {
      const { address } = await streams.kickViewer(viewer);
      timeline.note(viewer, { what: 'viewer-kicked', facts: { address } });
    });
  };
}

/** Live streams with their verdicts; without them where nothing is measured, or cannot be asked for. */
async function listed(streams: StreamsService, { mediaServer, judged }: Shown) {
  const isMeasured = !mediaServer.lacks.includes('measurements');
  const known = isMeasured ? await judged().catch(() => undefined) : undefined;
  return known?.map(({ stream, diagnosis: { verdict } }) => ({ ...stream, verdict })) ?? streams.list();
}

function watch(context: Context, publishers: Publishers, signal: AbortSignal): Promise<void> {
  const { mediaServer, log, clock, sendSettings, hours } = context;
  return watchMediaServer(
    {
      mediaServer,
      log,
      clock,
      onStarted: sendSettings,
      onRound: (list) =>
        publishers.reconcile(async () => {
          const live = await list();
          await hours.count(live);
          return live;
        }),
    },
    signal,
  );
}
