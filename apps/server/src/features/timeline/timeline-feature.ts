import {
  type ActiveStream,
  aiApi,
  authApi,
  type Broadcast,
  type BroadcastReport,
  bucketApi,
  cameraApi,
  certsApi,
  cloudApi,
  componentsApi,
  type Endpoint,
  edgesApi,
  forwardApi,
  hlsApi,
  hooksApi,
  limitsApi,
  llmApi,
  ocrApi,
  platformApi,
  programApi,
  publishAuthApi,
  recordApi,
  roomsApi,
  type SettingArea,
  type StreamSamples,
  streamKeysApi,
  type TimelineEntry,
  timelineApi,
  timelineLimits,
  transcodeApi,
  transcriptApi,
  updatesApi,
  vliveApi,
} from '@weir/contract';
import type { Config, Log } from '@weir/plane';
import type { Supervisor, WorkChange } from '@weir/process';
import { defaultVhost, streamSampleFields, type WirePlace } from '@weir/streams';
import { type Clock, isoNow } from '../../core/clock.ts';
import { WeirError } from '../../core/errors.ts';
import type { Events } from '../../core/events.ts';
import { sampleTable } from '../../core/sample-table.ts';
import type { Feature } from '../../feature.ts';
import { toBroadcast } from '../../timeline-store/broadcast-row.ts';
import type { Redaction } from '../../timeline-store/redaction.ts';
import type { Timeline, TimelineEvent } from '../../timeline-store/timeline.ts';
import { BroadcastSampler } from './broadcast-sampler.ts';
import { type Recordings, withLeftRecordings } from './left-recordings.ts';

/** Calls that change the treatment of streams, by setting. Queries are not listed. */
const calls: Readonly<Record<SettingArea, readonly Endpoint[]>> = {
  forward: [forwardApi.secret],
  vlive: [vliveApi.secret, vliveApi.source],
  camera: [cameraApi.secret, cameraApi.source],
  transcode: [transcodeApi.apply],
  record: [
    recordApi.apply,
    recordApi.globs,
    recordApi.stream,
    recordApi.postProcessing,
    recordApi.subtitles,
    recordApi.storage,
  ],
  bucket: [bucketApi.apply],
  cloud: [cloudApi.secret, cloudApi.dvrApply, cloudApi.vodApply],
  transcript: [transcriptApi.apply, transcriptApi.streams, transcriptApi.captions],
  ocr: [ocrApi.apply],
  ai: [llmApi.update, aiApi.updateModels, aiApi.updateLimits],
  programs: [programApi.save, programApi.remove, programApi.slates],
  rooms: [roomsApi.create, roomsApi.update, roomsApi.remove],
  callbacks: [hooksApi.apply, hooksApi.rotate],
  'publish-auth': [
    publishAuthApi.update,
    publishAuthApi.disable,
    streamKeysApi.create,
    streamKeysApi.update,
    streamKeysApi.rotate,
    streamKeysApi.revoke,
  ],
  hls: [hlsApi.updateDelivery, hlsApi.updateLatency],
  limits: [limitsApi.update],
  certificates: [certsApi.upload, certsApi.order, certsApi.selfSigned],
  updates: [updatesApi.save],
  platform: [platformApi.updateWindow, platformApi.updateLimit, platformApi.updateBackends, platformApi.removeBackends],
  edges: [edgesApi.update, edgesApi.renewToken],
  password: [authApi.changePassword, authApi.rotateApiSecret],
  components: [componentsApi.restart],
};
const areas = new Map(
  Object.entries(calls).flatMap(([area, endpoints]) => endpoints.map(({ path }) => [path, area as SettingArea])),
);
/** Paths that read and write: a call without an action changes nothing. */
const readsToo = new Set<string>([forwardApi.secret.path, vliveApi.secret.path, cameraApi.secret.path]);

/** Area of settings that a successful call changed; undefined if irrelevant to broadcasts. */
function changedSetting({ path }: Endpoint, body: unknown): SettingArea | undefined {
  const { action } = body as { readonly action?: unknown };
  return readsToo.has(path) && (action === undefined || action === '') ? undefined : areas.get(path);
}

interface Context extends ReportContext {
  readonly timeline: Timeline;
  readonly events: Events;
  readonly supervisor: Supervisor;
  readonly log: Log;
  readonly recordings: Recordings;
  readonly streams: ReportContext['streams'] & { list(): Promise<ActiveStream[]> };
}

/** Events of running and ended broadcasts. */
export function timelineFeature(context: Context): Feature {
  const { timeline, clock, measurements, recordings } = context;
  noteEvents(context);
  const recorder = new BroadcastSampler({ ...context, judge: (live) => measurements.judge(live) });
  const find = async ({ id, ...place }: WirePlace & { readonly id: number }): Promise<Broadcast | undefined> => {
    const row = id === 0 ? timeline.file.newestOf(place) : timeline.file.row(id);
    return row && withLeftRecordings(toBroadcast(row, clock.dateMs()), recordings);
  };
  return {
    routes: (http) => {
      http.onDone((endpoint, body) => {
        const area = changedSetting(endpoint, body);
        if (area) timeline.noteAll({ what: 'setting-changed', facts: { area } });
      });
      http.route(timelineApi.broadcasts, async ({ before, most, ...place }) => {
        const { broadcasts, hasMore } = timeline.file.list(place, { before, most }, clock.dateMs());
        return { broadcasts: await Promise.all(broadcasts.map((one) => withLeftRecordings(one, recordings))), hasMore };
      });
      http.route(timelineApi.timeline, async ({ most, ...which }) => {
        const broadcast = await find(which);
        return { broadcast: broadcast ?? null, entries: broadcast ? timeline.file.entries(broadcast.id, most) : [] };
      });
      http.route(timelineApi.report, async (which) => {
        const broadcast = await find(which);
        if (!broadcast) throw new WeirError('not_found', 'this broadcast no longer exists');
        const entries = timeline.file.entries(broadcast.id, timelineLimits.entries);
        return broadcastReport(context, { broadcast, entries }, timeline.redaction);
      });
    },
    tasks: { timeline: (signal) => recorder.run(signal) },
  };
}

interface NoteEventsContext {
  readonly events: Events;
  readonly timeline: Timeline;
}

/** Notes what the rest of the server announces anyway. */
function noteEvents({ events, timeline }: NoteEventsContext): void {
  events.on('stream:published', ({ clientId, protocol = '', address = '', key, ...place }) =>
    timeline.begin(place, clientId, { what: 'publisher-connected', facts: { protocol, address, ...named(key) } }),
  );
  events.on('stream:ended', ({ clientId, why = '', ...place }) =>
    timeline.end(place, clientId, { what: 'publisher-left', facts: { reason: why } }),
  );
  events.on('publish:refused', ({ protocol, address, reason, key, ...place }) =>
    timeline.noteEarly(place, { what: 'publisher-refused', facts: { protocol, address, reason, ...named(key) } }),
  );
  events.on('record:began', ({ uuid, quality: _quality, ...place }) => {
    timeline.addRecording(place, uuid);
    timeline.note(place, { what: 'recording-began', facts: { recording: uuid } });
  });
  events.on('record:ended', ({ uuid, quality: _quality, isDone, ...place }) => {
    timeline.addRecording(place, uuid);
    timeline.note(place, { what: isDone ? 'recording-ended' : 'recording-failed', facts: { recording: uuid } });
  });
  events.on('process:changed', (change) => noteWork(timeline, change));
}

/** Name of a stream key as a fact. Under another name it would be redacted as a secret. */
function named(key: string | undefined): { readonly keyName?: string } {
  return key ? { keyName: key } : {};
}

function noteWork(timeline: Timeline, { key, what, runsFor, makes, failure }: WorkChange): void {
  const happening: TimelineEvent = {
    what: `process-${what}`,
    facts: { process: key, ...(failure && { cause: failure.cause }) },
  };
  if (runsFor !== undefined) timeline.noteClient(runsFor, happening);
  const made = makes === undefined ? undefined : placeOf(makes);
  // A program that makes the stream is there before it and may outlive it.
  if (made) timeline.noteEarly(made, happening);
}

/** Parses `app/name` or `vhost/app/name`. */
function placeOf(text: string): WirePlace | undefined {
  const [stream, app, vhost = defaultVhost, ...more] = text.split('/').reverse();
  return stream === undefined || app === undefined || more.length > 0 ? undefined : { vhost, app, stream };
}

interface ReportContext {
  readonly config: Pick<Config, 'version' | 'srs' | 'store'>;
  readonly clock: Clock;
  readonly streams: { find(place: WirePlace): Promise<ActiveStream | undefined> };
  readonly measurements: {
    judge(live: ActiveStream): Promise<Pick<BroadcastReport, 'diagnosis' | 'seconds'>>;
    minutesOf(place: WirePlace, sinceMs: number): Promise<StreamSamples>;
  };
  /** Features with settings that may appear in reports, by name. */
  readonly reporters: () => Readonly<Record<string, Feature>>;
  readonly server: () => Promise<Readonly<Record<string, unknown>>>;
}

const mostCharacters = 500;
const minuteMs = 60_000;

/** Report of a broadcast for outside helpers, redacted as a whole. */
async function broadcastReport(
  context: ReportContext,
  { broadcast, entries }: { readonly broadcast: Broadcast; readonly entries: readonly TimelineEntry[] },
  redaction: Redaction,
): Promise<BroadcastReport> {
  const { config, clock, streams, measurements } = context;
  const live = broadcast.endedAt === '' ? await streams.find(broadcast).catch(() => undefined) : undefined;
  const now = live && (await measurements.judge(live).catch(() => undefined));
  const fromMs = Date.parse(broadcast.beganAt) - minuteMs;
  const untilMs = broadcast.endedAt === '' ? Number.POSITIVE_INFINITY : Date.parse(broadcast.endedAt);
  const report: BroadcastReport = {
    format: 1,
    madeAt: isoNow(clock),
    versions: {
      weir: config.version,
      node: process.versions.node,
      system: `${process.platform} ${process.arch}`,
      engine: config.srs ? 'srs' : 'built-in',
      store: config.store.kind,
    },
    broadcast,
    timeline: entries.map(withoutAddress),
    diagnosis: now?.diagnosis ?? { verdict: 'none', issues: [] },
    seconds: now?.seconds ?? sampleTable(undefined, streamSampleFields),
    minutes: until(await measurements.minutesOf(broadcast, fromMs), untilMs),
    settings: await settingsOf(context.reporters()),
    server: await told(context.server()),
  };
  return redaction.value(report, mostCharacters) as BroadcastReport;
}

/** Leaves out the publisher's address, which is private. */
function withoutAddress({ facts: { address: _address, ...facts }, ...entry }: TimelineEntry): TimelineEntry {
  return { ...entry, facts };
}

function until({ at, columns }: StreamSamples, untilMs: number): StreamSamples {
  const count = at.filter((atMs) => atMs <= untilMs).length;
  const cut = Object.entries(columns).map(([field, values]) => [field, values.slice(0, count)]);
  return { at: at.slice(0, count), columns: Object.fromEntries(cut) as StreamSamples['columns'] };
}

/** A store that does not answer is a reason to write the rest. */
function told(part: Promise<Readonly<Record<string, unknown>>>): Promise<Record<string, unknown>> {
  return part.catch(() => ({ isUnknown: true }));
}

async function settingsOf(reporters: Readonly<Record<string, Feature>>): Promise<Record<string, unknown>> {
  const parts = Object.entries(reporters).map(async ([name, { reported }]) => {
    return reported ? [[name, await told(reported())] as const] : [];
  });
  return Object.fromEntries((await Promise.all(parts)).flat());
}
