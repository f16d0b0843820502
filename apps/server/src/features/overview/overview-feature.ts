import {
  type ActiveStream,
  type Diagnosis,
  type ForwardRow,
  overviewApi,
  overviewTimes,
  type ServerSparklines,
  type StreamOverview,
  type StreamSamples,
} from '@weir/contract';
import { placeText, serverSampleFields, streamLabel, type WirePlace } from '@weir/streams';
import type { Clock } from '../../core/clock.ts';
import type { Events } from '../../core/events.ts';
import { sampleTable } from '../../core/sample-table.ts';
import { TtlCache } from '../../core/ttl-cache.ts';
import type { Feature } from '../../feature.ts';
import type { MediaServer } from '../../media-server/media-server.ts';
import { type Shown, Thumbnails } from '../../media-server/thumbnails.ts';
import { sparkLine } from './spark-line.ts';

interface JudgedStream {
  readonly stream: ActiveStream;
  readonly samples: StreamSamples;
  readonly diagnosis: Diagnosis;
}

interface Context {
  readonly mediaServer: MediaServer;
  readonly clock: Clock;
  readonly events: Pick<Events, 'on'>;
  readonly streams: { publisherOf(place: WirePlace): Promise<string | undefined> };
  readonly measurements: { judged(): Promise<JudgedStream[]> };
  readonly forward: { rows(): Promise<readonly ForwardRow[]> };
  readonly record: { isRecording(place: WirePlace): boolean };
}

/** Age up to which an answer is shared, so that many consoles cost about as much as one. */
const freshMs = 1000;
/** Delay of the first thumbnail after a stream begins, so that streams that nobody opened have a last picture too. */
const firstPictureMs = 10_000;

interface Offers extends Feature {
  /** Small picture of a live stream, or why there is none. */
  readonly thumbnail: (place: WirePlace) => ReturnType<Thumbnails['get']>;
}

/** Live streams at a glance, in one answer. */
export function overviewFeature(context: Context): Offers {
  const { mediaServer, clock, events, streams } = context;
  const thumbnails = new Thumbnails({ mediaServer, clock, keptMs: overviewTimes.thumbnailMs });
  const shown = (place: WirePlace): Shown => ({
    key: placeText(place),
    publisher: () => streams.publisherOf(place),
    keyframe: () => mediaServer.keyframe(place),
  });
  const closing = new AbortController();
  events.on('stream:published', async ({ vhost, app, stream }) => {
    // A missing picture is made on request.
    await clock
      .pause(firstPictureMs, closing.signal)
      .then(() => thumbnails.get(shown({ vhost, app, stream })))
      .catch(() => undefined);
  });
  const glance = async () => {
    const [streams, server] = await Promise.all([glanceAll(context), serverLines(context)]);
    return { streams, server };
  };
  const glances = new TtlCache(glance, freshMs, clock);
  return {
    thumbnail: (place) => thumbnails.get(shown(place)),
    routes: (http) => {
      http.route(overviewApi.streams, () => glances.get(), { isShared: true });
      http.route(overviewApi.now, async () => {
        const { server } = await mediaServer.latestSamples();
        const { at, columns } = sampleTable(server, serverSampleFields);
        const values = Object.fromEntries(serverSampleFields.map((field) => [field, columns[field].at(-1) ?? null]));
        return { at: at.at(-1) ?? 0, values: values as Record<(typeof serverSampleFields)[number], number | null> };
      });
      http.picture(overviewApi.thumbnail, ({ last, ...place }) =>
        last ? thumbnails.getLast(shown(place)) : thumbnails.get(shown(place)),
      );
    },
    close: async () => closing.abort(),
  };
}

async function glanceAll({ measurements, forward, record, clock }: Context): Promise<StreamOverview[]> {
  // Destinations that cannot be read do not hide what is on air.
  const [judged, rows] = await Promise.all([measurements.judged(), forward.rows().catch(() => [])]);
  const nowMs = clock.dateMs();
  return judged.map(({ stream: { vhost, app, stream }, samples, diagnosis }) => {
    const label = streamLabel({ vhost, app, stream });
    const targets = rows.filter((row) => row.enabled && row.stream === label);
    return {
      vhost,
      app,
      stream,
      diagnosis,
      line: sparkLine(samples.at, samples.columns.inKbps, nowMs),
      isRecording: record.isRecording({ vhost, app, stream }),
      targets: targets.map(({ platform, label, process }) => ({ platform, label, state: process.state })),
    };
  });
}

async function serverLines({ mediaServer, clock }: Context): Promise<ServerSparklines> {
  const { seconds } = await mediaServer.serverDetail();
  const { at, columns } = sampleTable(seconds, serverSampleFields);
  const nowMs = clock.dateMs();
  const line = (field: keyof ServerSparklines) => sparkLine(at, columns[field], nowMs);
  return { cpu: line('cpu'), memory: line('memory'), inKbps: line('inKbps'), outKbps: line('outKbps') };
}
