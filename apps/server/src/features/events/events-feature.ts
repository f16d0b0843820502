import {
  type ActiveStream,
  type Alert,
  type Diagnosis,
  type EventTopic,
  eventsApi,
  eventTimes,
  eventTopics,
  type LiveEvents,
  type OutletFeature,
  processFigures,
  recordingFigures,
  type Status,
  slotPrefixes,
} from '@weir/contract';
import type { LauncherLink } from '@weir/plane';
import type { Progress, Supervisor } from '@weir/process';
import { type SampleTable, serverSampleFields, streamSampleFields } from '@weir/streams';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Clock } from '../../core/clock.ts';
import { WeirError } from '../../core/errors.ts';
import type { EventName, Events } from '../../core/events.ts';
import { anyMethod, type HttpApp } from '../../core/http/http-app.ts';
import type { Feature } from '../../feature.ts';
import type { MediaServer } from '../../media-server/media-server.ts';
import { ChangeBuffer } from './change-buffer.ts';
import { EventBroadcaster } from './event-broadcaster.ts';

/** Consoles and scripts that listen at once; each holds a connection. */
const mostListeners = 64;
/** Backlog of a client that does not read. It is disconnected then and catches up when it returns. */
const mostWaitingBytes = 256 * 1024;

/** Topics of the server's internal events. */
const topicOf: Partial<Record<EventName, EventTopic>> = {
  'stream:published': 'streams',
  'stream:ended': 'streams',
  'publish:refused': 'streams',
  'record:began': 'record',
  'record:ended': 'record',
  'transcript:settled': 'transcript',
  'cue:spoken': 'transcript',
  'cue:translated': 'transcript',
  'timeline:changed': 'timeline',
  'program:switched': 'programs',
  'input:ended': 'programs',
};

interface RunningRecording {
  readonly uuid: string;
  readonly segments: number;
  readonly durationMs: number;
  readonly bytes: number;
}

interface Context {
  readonly events: Events;
  readonly mediaServer: MediaServer;
  readonly supervisor: Supervisor;
  readonly streams: { list(): Promise<ActiveStream[]> };
  readonly launcher: Pick<LauncherLink, 'planes'>;
  readonly localAi: { readonly keeper: { state(): object } };
  readonly uploads: { readonly changes: number };
  /** Programs and the states of their inputs, without numbers. */
  readonly describePrograms: () => Promise<string>;
  readonly recordings: { running(): readonly RunningRecording[] };
  readonly activities: () => Promise<Status['activity']>;
  readonly diagnose: () => Promise<{ readonly alerts: readonly Alert[]; readonly diagnosis: Diagnosis }>;
  readonly clock: Clock;
}

type Rows = LiveEvents['rows'];

/** Sends changes to open consoles, so that they need not poll. */
export function eventsFeature(context: Context): Feature {
  const { events, supervisor, streams, launcher, localAi, uploads, describePrograms, diagnose, clock } = context;
  const desk = new EventBroadcaster();
  const kept = new ChangeBuffer(events);
  const looks = [
    async () => ({ alerts: wrongText(await diagnose()) + JSON.stringify(await context.activities()) }),
    async () => ({ streams: (await streams.list()).map(formOf).join(', ') }),
    async () => ({ uploads: String(uploads.changes) }),
    async () => kept.look(),
    async () => ({ programs: await describePrograms() }),
    async () => ({ components: JSON.stringify([launcher.planes(), localAi.keeper.state()]) }),
  ];
  const quickLooks = [
    async () => Object.fromEntries(supervisor.states().filter(([name]) => isTopic(name))),
    async () => ({
      record: context.recordings
        .running()
        .map(({ uuid }) => uuid)
        .join(),
    }),
  ];
  const rows = () => ({
    processes: processValues(supervisor.progress()),
    recordings: recordingValues(context.recordings.running()),
  });
  const watch = new ChangeDetector({ ...context, desk, looks, quickLooks, rows });
  const closing = new AbortController();
  for (const [name, topic] of Object.entries(topicOf)) {
    events.on(name as EventName, () => desk.changed([topic]));
  }
  // A renamed slot changes no process.
  events.on('store:written', ({ collection }) => {
    if (collection in slotPrefixes) desk.changed([collection as OutletFeature]);
  });
  const beat = async (signal: AbortSignal) => {
    while (!signal.aborted) {
      await clock.pause(eventTimes.heartbeatMs, signal).catch(() => undefined);
      desk.heartbeat();
    }
  };
  return {
    routes: (http) => {
      http.fastify.addHook('preClose', async () => closing.abort());
      http.fastify.route({
        method: anyMethod,
        url: eventsApi.listen.path,
        handler: async (request, reply) => {
          await http.authorise(request, reply);
          // The front door passes answers of unknown length on for GET alone.
          if (request.method !== 'GET') throw new WeirError('invalid_input', 'use GET to read events');
          if (desk.size >= mostListeners)
            throw new WeirError('unavailable', 'too many listeners, try again', { retryAfterSeconds: 30 });
          watch.wake(closing.signal);
          listen({ http, request, reply, desk, clock, signal: closing.signal });
          return reply;
        },
      });
    },
    tasks: { news: beat },
    close: () => watch.settled(),
  };
}

interface Listening {
  readonly http: HttpApp;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly desk: EventBroadcaster;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

function listen({ http, request, reply, desk, clock, signal }: Listening): void {
  const { raw } = reply.hijack();
  const headers = { ...reply.getHeaders(), 'content-type': 'text/event-stream', 'cache-control': 'no-store' };
  // Nginx would keep events back until it has a buffer full of them.
  raw.writeHead(200, { ...headers, 'x-accel-buffering': 'no', 'x-content-type-options': 'nosniff' } as Record<
    string,
    string
  >);
  const gone = new AbortController();
  const leave = desk.join(
    (text) => {
      if (raw.writableLength > mostWaitingBytes) raw.destroy();
      else raw.write(text);
    },
    String(request.headers['last-event-id'] ?? ''),
  );
  const end = () => {
    // A slow listener stays connected for a while, and writing to it would now end the process.
    leave();
    raw.end();
  };
  signal.addEventListener('abort', end, { once: true });
  raw.once('close', () => {
    leave();
    gone.abort();
    signal.removeEventListener('abort', end);
  });
  void staysAllowed({ http, request, reply, clock }, gone.signal).then(end);
}

/** Ends the stream within a minute after a sign-out or a new secret. */
async function staysAllowed(
  { http, request, reply, clock }: Pick<Listening, 'http' | 'request' | 'reply' | 'clock'>,
  gone: AbortSignal,
): Promise<void> {
  const credential = { headers: request.headers, body: request.body } as FastifyRequest;
  const ignored = { header: () => reply } as unknown as FastifyReply;
  while (!gone.aborted) {
    await clock.pause(60_000, gone).catch(() => undefined);
    if (gone.aborted) return;
    const isAllowed = await http.authorise(credential, ignored).then(
      () => true,
      () => false,
    );
    if (!isAllowed) return;
  }
}

function isTopic(name: string): boolean {
  return eventTopics.some((topic) => topic === name);
}

/** Problems without their numbers: the CPU load differs every second. */
function wrongText({ alerts, diagnosis }: { alerts: readonly Alert[]; diagnosis: Diagnosis }): string {
  return JSON.stringify([alerts, diagnosis.issues.map(({ id, severity, subject }) => [id, severity, subject])]);
}

/** Publisher and format; values that differ every second are sent as samples. */
function formOf({ client_id, media }: ActiveStream): string {
  return JSON.stringify([client_id, media?.video, media?.audio, media?.bFrames, media?.webrtc]);
}

/** In the order of `processFigures`. */
function processValues(running: readonly (readonly [key: string, progress: Progress])[]): Rows['processes'] {
  const shown = running.filter(([key]) => isTopic(key.split('/')[0] ?? ''));
  return Object.fromEntries(
    shown.map(([key, progress]) => [key, processFigures.map((field) => progress[field] ?? null)]),
  );
}

/** In the order of `recordingFigures`, as the rows of the list have them. */
function recordingValues(running: readonly RunningRecording[]): Rows['recordings'] {
  return Object.fromEntries(
    running.map(({ uuid, segments, durationMs, bytes }) => {
      const row = { nn: segments, duration: durationMs / 1000, size: bytes };
      return [uuid, recordingFigures.map((field) => row[field])];
    }),
  );
}

/** Looks that cost more than a read of memory are taken each second time. */
const lookEvery = 2;

/** A page that is reloaded, or a network that changes, is back by then and has missed nothing. */
const graceSeconds = 30;

/** Text that differs whenever the observed state changed. */
type Look = () => Promise<Partial<Record<EventTopic, string>>>;

interface ChangeDetectorContext {
  readonly desk: EventBroadcaster;
  readonly mediaServer: MediaServer;
  readonly clock: Clock;
  /** Looks of every second, and of every other. */
  readonly quickLooks: readonly Look[];
  readonly looks: readonly Look[];
  /** Statistics of running processes and recordings. */
  readonly rows: () => LiveEvents['rows'];
}

/**
 * Polls for changes that nothing announces: samples and processes each second, other states every two. Stops some time
 * after the last listener left.
 */
class ChangeDetector {
  readonly #context: ChangeDetectorContext;
  readonly #seen = new Map<EventTopic, string>();
  #running: Promise<void> | undefined;

  constructor(context: ChangeDetectorContext) {
    this.#context = context;
  }

  /** Begins unless it is under way. */
  wake(signal: AbortSignal): void {
    this.#running ??= this.#run(signal).finally(() => {
      this.#running = undefined;
      // A listener may have come at the moment it ended.
      if (this.#context.desk.size > 0 && !signal.aborted) this.wake(signal);
    });
  }

  async settled(): Promise<void> {
    await this.#running;
  }

  async #run(signal: AbortSignal): Promise<void> {
    const { desk, clock, quickLooks, looks, rows } = this.#context;
    this.#seen.clear();
    desk.open();
    let alone = 0;
    for (let second = 0; alone < graceSeconds && !signal.aborted; second += 1) {
      alone = desk.size > 0 ? 0 : alone + 1;
      await Promise.all([
        desk.size > 0 ? this.#sample() : undefined,
        this.#check(second % lookEvery === 0 ? [...quickLooks, ...looks] : quickLooks),
      ]);
      if (desk.size > 0) desk.rows(rows());
      await clock.pause(1000, signal).catch(() => undefined);
    }
    desk.forget();
  }

  /** Sends nothing while the engine is away. */
  async #sample(): Promise<void> {
    const { desk, mediaServer } = this.#context;
    const latest = await mediaServer.latestSamples().catch(() => undefined);
    const at = latest?.server.at.at(-1);
    if (!latest || at === undefined) return;
    const live = latest.streams.filter(({ isLive }) => isLive);
    const streams = live.map(({ vhost, app, stream, samples }) => ({
      vhost,
      app,
      stream,
      values: lastOf(samples, streamSampleFields),
    }));
    desk.samples({ at, server: lastOf(latest.server, serverSampleFields), streams });
  }

  async #check(looks: readonly Look[]): Promise<void> {
    const { desk } = this.#context;
    const found = await Promise.all(looks.map((look) => look().catch(() => ({}))));
    const entries = found.flatMap((each) => Object.entries(each) as [EventTopic, string][]);
    const changed = entries.filter(([topic, text]) => (this.#seen.get(topic) ?? text) !== text);
    for (const [topic, text] of entries) this.#seen.set(topic, text);
    if (changed.length > 0) desk.changed(changed.map(([topic]) => topic));
  }
}

function lastOf({ columns }: SampleTable, fields: readonly string[]): (number | null)[] {
  return fields.map((field) => columns[field]?.at(-1) ?? null);
}
