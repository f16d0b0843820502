import {
  type Alert,
  type Program,
  type ProgramInput,
  type ProgramRow,
  programApi,
  programLimits,
} from '@weir/contract';
import type { ClientHook, ProgramReport, ProgramStatus } from '@weir/engine-api';
import type { Log } from '@weir/plane';
import { type ProcessSpec, relayArgs, type Scope, type Supervisor } from '@weir/process';
import { placeText, streamLabel } from '@weir/streams';
import type { Clock } from '../../core/clock.ts';
import { WeirError } from '../../core/errors.ts';
import type { Events } from '../../core/events.ts';
import type { Store } from '../../core/store/store.ts';
import type { Feature } from '../../feature.ts';
import type { MediaServer } from '../../media-server/media-server.ts';
import { Thumbnails } from '../../media-server/thumbnails.ts';
import type { Sources } from '../../media-sources/sources.ts';
import type { Destinations } from '../../outlets/destinations.ts';
import type { LiveInputs } from '../../outlets/live-inputs.ts';
import type { Timeline } from '../../timeline-store/timeline.ts';
import { ColdInputs } from './cold-inputs.ts';
import { faultWatch } from './fault-watch.ts';
import { slateInput } from './program-plan.ts';
import { type Claim, isFetched, ProgramService } from './program-service.ts';
import { ProgramSlates } from './program-slates.ts';
import { SlateFiles } from './slate-files.ts';

interface Context {
  readonly config: { readonly dataDir: string };
  readonly store: Store;
  readonly mediaServer: MediaServer;
  readonly inputs: LiveInputs;
  readonly sources: Sources;
  readonly destinations: Destinations;
  readonly supervisor: Supervisor;
  readonly timeline: Pick<Timeline, 'note' | 'noteEarly'>;
  readonly events: Events;
  readonly clock: Clock;
  readonly log: Log;
  readonly announceSecrets: () => Promise<void>;
  readonly showsSecret: (publish: { readonly stream: string; readonly param: string }, secret: string) => boolean;
}

/** Events of programs from the engine's hooks. */
/** Event with the name of its stream key, which is empty without one. */
type KeyedHook = ClientHook & { readonly key: string };

interface ProgramHooks {
  claim(publish: ClientHook): Promise<Claim | undefined>;
  /** A publisher of an input came, or left. */
  came(hook: KeyedHook, input: string): void;
  left(hook: KeyedHook): void;
  switched(report: ProgramReport): Promise<void>;
}

interface ProgramFeature extends Feature {
  readonly hooks: ProgramHooks;
  readonly secrets: () => Promise<string[]>;
  /** Text that differs whenever a state does. */
  readonly describe: () => Promise<string>;
}

const lookAgainMs = 100;
const warmUpMs = 15_000;
/** On top of the time after which an input is lost, and of a group of pictures. */
const watchedMs = 5000;
/** Time for which a rehearsal continues after the switch. */
const settleMs = 3000;

/** Streams of several inputs: backups, slates and files behind a publisher. */
export function programFeature(context: Context): ProgramFeature {
  const { events, timeline, sources, inputs, destinations, supervisor } = context;
  const log = context.log.child({ feature: 'program' });
  const files = new SlateFiles({ dataDir: context.config.dataDir, sources });
  const slates = new ProgramSlates({ files, clock: context.clock, log });
  const onChange = async () => {
    // Programs that cannot be announced now are announced at the next start.
    await context.announceSecrets().catch(() => undefined);
    fetched.wake();
  };
  const service: ProgramService = new ProgramService({ ...context, log, slates, onChange });
  const previews = new Thumbnails({
    mediaServer: context.mediaServer,
    clock: context.clock,
    keptMs: programLimits.previewMs,
  });
  const fetched = new FetchedInputs({
    sources,
    inputs,
    destinations,
    supervisor,
    programs: () => service.list(),
    running: () => service.running(),
    clock: context.clock,
  });
  return {
    routes: (http) => {
      http.route(programApi.query, async () => ({
        programs: await service.rows(),
        slates: [...(await service.slates())],
        isAvailable: service.isAvailable,
      }));
      http.route(programApi.save, (change) => service.save(change));
      http.route(programApi.remove, ({ uuid }) => service.remove(uuid));
      http.route(programApi.switch, async ({ uuid, input }) => {
        await warmUp(uuid, input);
        await service.switchTo(uuid, input);
      });
      http.route(programApi.rehearse, ({ uuid, seconds }) => rehearse(uuid, seconds, { ...context, service }));
      http.picture(programApi.preview, async ({ uuid, input }) => previews.get(await service.shown(uuid, input)));
      http.route(programApi.files, async ({ files }) => sources.accept(files, { limitKbps: Number.POSITIVE_INFINITY }));
      http.route(programApi.slates, ({ slates }) => service.setSlates(slates));
    },
    alerts: async () => (await service.rows()).flatMap((row) => alertOf(row)),
    heldSources: async () =>
      (await service.list()).map((program) => ({
        slot: `program/${streamLabel(program)}`,
        uuids: program.inputs.flatMap(({ files, picture, music }) =>
          [...files, picture, music].filter((id) => id !== ''),
        ),
      })),
    tasks: {
      'input-faults': faultWatch({ ...context, log, programs: () => service.list(), running: () => service.running() }),
    },
    // Streams published by processes of a program are recognized by their key.
    outputs: { urls: async () => [], made: () => service.made() },
    engineSettings: async () => {
      await service.push();
      fetched.wake();
    },
    close: async () => fetched.close(),
    reported: async () => ({
      slates: (await service.slates()).length,
      programs: (await service.list()).map(({ uuid: _id, vhost: _v, app: _a, stream: _s, ...program }) => ({
        ...program,
        inputs: program.inputs.map(({ id, kind }) => ({ id, kind })),
      })),
    }),
    secrets: () => service.secrets(),
    describe: async () => {
      const isUsed = (await service.list()).length > 0;
      return JSON.stringify([await service.slates(), isUsed && (await service.rows()).map(formOf)]);
    },
    hooks: {
      claim: (publish) => service.claim(publish),
      came: (hook, input) => {
        const { vhost, app, stream, protocol, ip, key } = hook;
        const facts = { protocol, address: ip, input, ...(key !== '' && { keyName: key }) };
        timeline.noteEarly({ vhost, app, stream }, { what: 'publisher-connected', facts });
      },
      left: ({ vhost, app, stream, input, key, why = 'closed' }) => {
        timeline.note({ vhost, app, stream }, { what: 'publisher-left', facts: { reason: why, input } });
        fetched.wake();
        events.emit('input:ended', { vhost, app, stream, input, key });
      },
      switched: async ({ vhost, app, stream, fromId, toId, reason, gapMs }) => {
        const place = { vhost, app, stream };
        const facts = { from: await idOf(service, place, fromId), to: await idOf(service, place, toId), reason };
        if (reason !== 'start') {
          timeline.note({ vhost, app, stream }, { what: 'program-switched', facts, numbers: { gapMs } });
        }
        log.info({ stream: `${app}/${stream}`, ...facts, gapMs }, 'program switched');
        fetched.wake();
        events.emit('program:switched', { vhost, app, stream, ...facts, gapMs });
      },
    },
  };

  /** Time for a cold input to start after a switch. */
  async function warmUp(uuid: string, id: string): Promise<void> {
    const program = await service.get(uuid);
    const isGood = async () => {
      const status = (await service.running()).get(placeText(program));
      return !status || status.inputs.some((input) => input.id === id && input.state === 'good');
    };
    if (!program.inputs.some((input) => input.id === id && input.isCold)) return;
    const untilMs = context.clock.elapsedMs() + warmUpMs;
    fetched.ask(program, id);
    while (!(await isGood()) && context.clock.elapsedMs() < untilMs) await context.clock.pause(lookAgainMs);
  }

  async function idOf(all: ProgramService, place: Pick<Program, 'vhost' | 'app' | 'stream'>, id: string) {
    if (id !== slateInput) return id;
    const program = (await all.list()).find((one) => streamLabel(one) === streamLabel(place));
    return program?.inputs.find(({ kind }) => kind === 'slate')?.id ?? slateInput;
  }
}

/** Cuts the input on air off, and looks what takes over. */
async function rehearse(
  uuid: string,
  seconds: number,
  { service, mediaServer, clock }: Pick<Context, 'mediaServer' | 'clock'> & { readonly service: ProgramService },
) {
  const program = await service.get(uuid);
  const rowOf = async () => (await service.rows()).find((row) => row.uuid === uuid);
  const before = await rowOf();
  const input = before?.onAir ?? '';
  const isSlate = program.inputs.some(({ id, kind }) => id === input && kind === 'slate');
  if (!before || input === '' || isSlate) {
    throw new WeirError('invalid_input', 'no input is on air that could be cut off');
  }
  if (!(await mediaServer.rehearseProgram(program, input, seconds * 1000))) {
    throw new WeirError('invalid_input', 'the program is not running');
  }
  const gaps = async () => [...((await service.running()).get(placeText(program))?.gaps ?? [])];
  const known = before.switches.at(-1)?.at ?? '';
  const untilMs =
    clock.elapsedMs() + Math.min(seconds * 1000, Math.max(program.failMs, program.slateAfterMs) + watchedMs);
  while (clock.elapsedMs() < untilMs) {
    await clock.pause(lookAgainMs);
    const switched = (await rowOf())?.switches.find(({ from, at }) => from === input && at > known);
    if (!switched) continue;
    // Segments and parts with the new input follow.
    await clock.pause(Math.max(0, Math.min(settleMs, untilMs - clock.elapsedMs())));
    return { input, switched, gaps: await gaps() };
  }
  return { input, switched: null, gaps: await gaps() };
}

/** State of a program for the console, without numbers that change every second. */
function formOf({ states, switches: _switches, ...row }: ProgramRow) {
  return [row, states.map(({ id, state, fit, fault, protocol, video }) => [id, state, fit, fault, protocol, video])];
}

/** A better input was there and is lost. A file behind a live stream is no emergency. */
function alertOf(row: ProgramRow): Alert[] {
  const { inputs, states, onAir, onAirSince, isHeld, switches } = row;
  const at = inputs.findIndex(({ id }) => id === onAir);
  const current = inputs[at];
  if (isHeld || !current || at === 0 || current.kind === 'file') return [];
  const lost = inputs.slice(0, at).some(({ id }) => states.some((one) => one.id === id && one.state === 'lost'));
  if (!lost) return [];
  return [
    {
      kind: 'program',
      severity: current.kind === 'slate' ? 'bad' : 'warn',
      since: onAirSince,
      count: 1,
      place: { page: 'scenario', tab: 'program', child: '' },
      subject: streamLabel(row),
      label: current.kind === 'slate' ? '' : current.name || current.id,
      cause: switches.at(-1)?.reason ?? '',
    },
  ];
}

interface FetchedInputsContext {
  readonly sources: Pick<Sources, 'get' | 'readingOf' | 'streamReading'>;
  readonly inputs: Pick<LiveInputs, 'publishAddress'>;
  readonly destinations: Pick<Destinations, 'prepare'>;
  readonly supervisor: Pick<Supervisor, 'scope'>;
  readonly programs: () => Promise<readonly Program[]>;
  readonly running: () => Promise<ReadonlyMap<string, ProgramStatus>>;
  readonly clock: Pick<Clock, 'elapsedMs'>;
}

/** No event tells when a cold input can be stopped, so it is polled. */
const lookMs = 2000;

/** Inputs that this server sends itself: URLs that it reads and files in a loop, each by a process that publishes with the input's key. */
class FetchedInputs {
  readonly #context: FetchedInputsContext;
  readonly #processes: Scope;
  readonly #cold = new ColdInputs();
  #look: NodeJS.Timeout | undefined;

  constructor(context: FetchedInputsContext) {
    this.#context = context;
    this.#processes = context.supervisor.scope('program', () => this.#plan());
  }

  wake(): void {
    this.#processes.wake();
  }

  /** An operator switches to an input. A cold one is read from now on. */
  ask(program: Program, input: string): void {
    this.#cold.ask(program, input, this.#context.clock.elapsedMs());
    this.wake();
  }

  close(): void {
    clearTimeout(this.#look);
  }

  async #plan(): Promise<ProcessSpec[]> {
    const programs = (await this.#context.programs()).filter(({ enabled }) => enabled);
    const hasCold = programs.some(({ inputs }) => inputs.some(({ isCold }) => isCold));
    const running = hasCold ? await this.#context.running() : undefined;
    const nowMs = this.#context.clock.elapsedMs();
    const specs = programs.flatMap((program) => {
      const status = running?.get(placeText(program));
      const isWanted = (input: ProgramInput) =>
        isFetched(input) && (!input.isCold || this.#cold.isWanted(program, input, status, nowMs));
      return program.inputs.filter(isWanted).map((input) => this.#specOf(program, input));
    });
    this.#cold.keepOnly(programs);
    clearTimeout(this.#look);
    if (this.#cold.isAnyWarm) this.#look = setTimeout(() => this.wake(), lookMs).unref();
    return (await Promise.all(specs)).filter((spec) => spec !== undefined);
  }

  async #specOf(program: Program, input: ProgramInput): Promise<ProcessSpec | undefined> {
    const { sources, inputs, destinations } = this.#context;
    const { id, kind, key, url, files } = input;
    const found = kind === 'file' ? await sources.get(files) : [];
    const reading = kind === 'pull' ? sources.streamReading(url) : await sources.readingOf(found);
    if (!reading) return undefined;
    const to = await inputs.publishAddress(program, key);
    return {
      key: `program/${program.uuid}/${id}`,
      args: relayArgs({ from: reading.input, to }),
      prepare: destinations.prepare(to, async (output) => relayArgs({ from: await reading.open(), to: output })),
      secrets: [key, ...reading.secrets],
      makes: streamLabel(program),
      ...reading.limits,
    };
  }
}
