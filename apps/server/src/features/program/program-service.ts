import { randomBytes, randomUUID } from 'node:crypto';
import { Program, type ProgramInput, type ProgramRow, type programApi, programLimits, SlateRule } from '@weir/contract';
import type { InputChoice, ProgramStatus } from '@weir/engine-api';
import type { Log } from '@weir/plane';
import { isUsableName, placeText, streamLabel, type WirePlace } from '@weir/streams';
import * as z from 'zod';
import { WeirError } from '../../core/errors.ts';
import { Mutex } from '../../core/mutex.ts';
import type { Collection, Store } from '../../core/store/store.ts';
import type { MediaServer } from '../../media-server/media-server.ts';
import type { Shown } from '../../media-server/thumbnails.ts';
import type { Sources } from '../../media-sources/sources.ts';
import type { LiveInputs } from '../../outlets/live-inputs.ts';
import { findLoop, type MadeFrom } from '../../outlets/stream-loops.ts';
import { parsePlace, planOf, simpleInput, simplePlan, slateInput } from './program-plan.ts';
import type { ProgramSlates } from './program-slates.ts';

type SavedProgram = z.output<typeof programApi.save.body>;

const Slates = z.object({ slates: z.array(SlateRule).default([]) });

interface Context {
  readonly store: Store;
  readonly mediaServer: MediaServer;
  readonly inputs: LiveInputs;
  readonly sources: Pick<Sources, 'get' | 'confirmStream'>;
  readonly slates: ProgramSlates;
  readonly log: Log;
  readonly showsSecret: (publish: Publish, secret: string) => boolean;
  /** Keys and what this server sends itself may be others. */
  readonly onChange: () => Promise<void>;
}

interface Publish extends WirePlace {
  readonly param: string;
}

/** A publisher that belongs to a program. */
export interface Claim {
  readonly choice: InputChoice;
  /** The publisher showed the key of its input and needs no other. */
  readonly isProven: boolean;
  /** Our own process sends it. */
  readonly isOurs: boolean;
}

/** Kinds of inputs that our own processes send. */
export function isFetched({ kind }: Pick<ProgramInput, 'kind'>): boolean {
  return kind === 'pull' || kind === 'file';
}

/** Configured programs and the publishers of their inputs. */
export class ProgramService {
  readonly #context: Context;
  readonly #programs: Collection<Program>;
  readonly #slates;
  readonly #turns = new Mutex();
  /** Cached: unauthorised publishers must not cause reads of the store. */
  #known: readonly Program[] | undefined;
  #rules: readonly SlateRule[] | undefined;

  constructor(context: Context) {
    this.#context = context;
    this.#programs = context.store.collection('programs', Program);
    this.#slates = context.store.setting('programs-slates/rules', Slates);
  }

  get isAvailable(): boolean {
    return !this.#context.mediaServer.lacks.includes('programs');
  }

  async list(): Promise<readonly Program[]> {
    this.#known ??= (await this.#programs.list()).map(({ value }) => value);
    return this.#known;
  }

  async slates(): Promise<readonly SlateRule[]> {
    this.#rules ??= (await this.#slates.read()).slates;
    return this.#rules;
  }

  async secrets(): Promise<string[]> {
    return (await this.list()).flatMap(({ inputs }) => inputs.map(({ key }) => key)).filter((key) => key !== '');
  }

  /** Includes the state from the engine; empty while the engine is away. */
  async rows(): Promise<ProgramRow[]> {
    const running = await this.running();
    return (await this.list()).map((program) => toRow(program, running.get(placeText(program))));
  }

  async running(): Promise<ReadonlyMap<string, ProgramStatus>> {
    const all = await this.#context.mediaServer.programs().catch(() => []);
    return new Map(all.map((status) => [placeText(status), status]));
  }

  save(change: SavedProgram): Promise<Program> {
    return this.#turns.take(async () => {
      this.#assertAvailable();
      const all = await this.list();
      const before = change.uuid ? await this.get(change.uuid) : undefined;
      if (!before && all.length >= programLimits.programs) {
        throw new WeirError(
          'invalid_input',
          `there can be at most ${programLimits.programs} programs, remove one first`,
        );
      }
      const program = this.#complete(change, before);
      const others = all.filter(({ uuid }) => uuid !== program.uuid);
      if (others.some((other) => placeText(other) === placeText(program))) {
        throw new WeirError('invalid_input', 'this stream has a program already, change that one');
      }
      await this.#check(program, others);
      await this.#context.slates.make(program);
      await this.#write(() => this.#programs.put(program.uuid, program));
      const isNew = program.enabled && !(before?.enabled && placeText(before) === placeText(program));
      await this.#changed();
      if (isNew) await this.#takeOver(program);
      this.#context.log.info({ stream: streamLabel(program), inputs: program.inputs.length }, 'program saved');
      return program;
    });
  }

  remove(uuid: string): Promise<void> {
    return this.#turns.take(async () => {
      const program = await this.get(uuid);
      await this.#write(() => this.#programs.delete(uuid));
      this.#context.slates.forget(uuid);
      await this.#changed();
      this.#context.log.info({ stream: streamLabel(program) }, 'program removed');
    });
  }

  setSlates(slates: readonly SlateRule[]): Promise<void> {
    return this.#turns.take(async () => {
      this.#assertAvailable();
      await this.#slates.put({ slates: [...slates] });
      this.#rules = undefined;
    });
  }

  async get(uuid: string): Promise<Program> {
    const program = (await this.list()).find((one) => one.uuid === uuid);
    if (!program) throw new WeirError('not_found', 'there is no such program');
    return program;
  }

  async switchTo(uuid: string, input: string): Promise<void> {
    this.#assertAvailable();
    const program = await this.get(uuid);
    const wanted = program.inputs.find(({ id }) => id === input);
    if (input !== '' && !wanted) throw new WeirError('not_found', 'the program has no such input');
    const id = wanted?.kind === 'slate' ? slateInput : input;
    const refusal = await this.#context.mediaServer.switchProgram(program, id);
    if (refusal === undefined) throw new WeirError('invalid_input', 'the program is not running, enable it first');
    if (refusal !== '') throw new WeirError('invalid_input', refusal);
  }

  /** One input, or its slate, for a preview. */
  async shown(uuid: string, id: string): Promise<Shown> {
    const program = await this.get(uuid);
    const input = program.inputs.find((one) => one.id === id);
    if (!input) throw new WeirError('not_found', 'the program has no such input');
    const wanted = input.kind === 'slate' ? slateInput : id;
    const { mediaServer } = this.#context;
    const statusOf = async () => (await this.running()).get(placeText(program));
    const publisher = async () => {
      const status = await statusOf();
      if (wanted === slateInput) return status && JSON.stringify(this.#context.slates.artOf(program));
      return status?.inputs.find((one) => one.id === id)?.clientId || undefined;
    };
    return { key: `${uuid}/${id}`, publisher, keyframe: () => mediaServer.keyframe(program, wanted) };
  }

  /** The publisher's input; undefined for a stream without a program. Throws when it has none for this publisher. */
  async claim(publish: Publish): Promise<Claim | undefined> {
    if (!this.isAvailable) return undefined;
    const program = (await this.list()).find((one) => one.enabled && placeText(one) === placeText(publish));
    if (!program) {
      const plan = simplePlan(publish, await this.slates());
      return plan && { choice: { input: simpleInput, program: plan }, isProven: false, isOurs: false };
    }
    const plan = planOf(program, this.#context.slates.artOf(program));
    const { showsSecret } = this.#context;
    const own = program.inputs.find(({ key }) => key !== '' && showsSecret({ ...publish, stream: '' }, key));
    if (own) return { choice: { input: own.id, program: plan }, isProven: true, isOurs: isFetched(own) };
    const usual = program.inputs.find(({ kind }) => kind === 'publisher');
    if (!usual) {
      throw new WeirError(
        'publish_refused',
        'this stream is made by a program, publish with the key of one of its inputs',
      );
    }
    return { choice: { input: usual.id, program: plan }, isProven: false, isOurs: false };
  }

  /** For an engine that has just started, or whose programs changed. */
  async push(): Promise<void> {
    if (!this.isAvailable) return;
    const all = await this.list();
    await this.#context.slates.find(all, () => this.#changed());
    const programs = all.filter(({ enabled }) => enabled);
    const plans = programs.map((program) => planOf(program, this.#context.slates.artOf(program)));
    await this.#context.mediaServer.applySettings({ programs: plans });
  }

  #assertAvailable(): void {
    if (this.isAvailable) return;
    throw new WeirError('unavailable', 'programs need the embedded engine, start without WEIR_ENGINE=srs');
  }

  #complete(change: SavedProgram, before: Program | undefined): Program {
    const kept = new Map(before?.inputs.map((input) => [input.id, input]));
    const ids = new Set(change.inputs.map(({ id }) => id).filter((id) => id !== undefined));
    const inputs = change.inputs.map((input) => {
      const id = input.id ?? freeId(input.kind, ids);
      ids.add(id);
      const old = kept.get(id);
      const needsKey = input.kind === 'backup' || isFetched(input);
      const key = (input.kind === 'backup' ? input.key : '') || (old?.kind === input.kind ? old.key : '') || newKey();
      return { ...input, id, key: needsKey ? key : '' };
    });
    return Program.parse({ ...change, uuid: before?.uuid ?? randomUUID(), inputs });
  }

  async #check(program: Program, others: readonly Program[]): Promise<void> {
    const { inputs } = program;
    const refuse = (message: string): never => {
      throw new WeirError('invalid_input', message);
    };
    const once = (values: readonly string[]) => new Set(values).size === values.length;
    if (!once(inputs.map(({ id }) => id))) refuse('inputs: each needs an id of its own');
    for (const kind of ['publisher', 'slate'] as const) {
      if (inputs.filter((input) => input.kind === kind).length > 1) refuse(`inputs: there can be one ${kind}`);
    }
    const slateAt = inputs.findIndex(({ kind }) => kind === 'slate');
    if (slateAt >= 0 && slateAt < inputs.length - 1) refuse('inputs: the slate must be the last one');
    if (inputs.every(({ kind }) => kind === 'slate')) refuse('inputs: a program needs one beside its slate');
    const keys = inputs.map(({ key }) => key).filter((key) => key !== '');
    const taken = new Set(others.flatMap((other) => other.inputs.map(({ key }) => key)));
    if (!once(keys) || keys.some((key) => taken.has(key))) refuse('inputs: each needs a key of its own');
    if (keys.some((key) => key.length < programLimits.keyLeast)) {
      refuse(`inputs: a key needs at least ${programLimits.keyLeast} characters`);
    }
    for (const input of inputs) await this.#checkInput(input, refuse);
    const made = await this.#madeFrom([program, ...others.filter(({ enabled }) => enabled)]);
    const loop = findLoop(placeText(program), await this.#context.inputs.copiedInto(made));
    if (loop) refuse(`inputs: the program would be made from itself (${loop.join(' ← ')})`);
  }

  async #checkInput(input: ProgramInput, refuse: (message: string) => never): Promise<void> {
    if (input.isCold && input.kind !== 'pull') refuse('inputs: isCold: only a pull can be cold');
    if (input.kind === 'pull') await this.#context.sources.confirmStream(input.url);
    if (input.kind === 'stream') {
      const { vhost, app, stream } = parsePlace(input.stream);
      if (![vhost, app, stream].every(isUsableName)) refuse('inputs: stream must be app/name');
    }
    if (input.kind === 'file') {
      const found = await this.#context.sources.get(input.files);
      if (input.files.length === 0 || found.length !== input.files.length) {
        refuse('inputs: files: one of them is not a source of this server, prepare it first');
      }
    }
  }

  /** Streams of this server that enabled programs take, by the place of each program. */
  async made(): Promise<MadeFrom> {
    return this.isAvailable ? this.#madeFrom((await this.list()).filter(({ enabled }) => enabled)) : new Map();
  }

  async #madeFrom(programs: readonly Program[]): Promise<MadeFrom> {
    const { inputs: live } = this.#context;
    const placesOf = async ({ kind, stream, url }: ProgramInput) => {
      if (kind === 'stream') return [placeText(parsePlace(stream))];
      return kind === 'pull' ? live.ownPlacesAt(url) : [];
    };
    const rows = programs.map(
      async (program) => [placeText(program), (await Promise.all(program.inputs.map(placesOf))).flat()] as const,
    );
    return new Map(await Promise.all(rows));
  }

  /** A publisher under the program's name becomes its input again. */
  async #takeOver(program: Program): Promise<void> {
    const { mediaServer } = this.#context;
    const live = await mediaServer.streams().catch(() => []);
    const running = await this.running();
    const now = live.find(({ vhost, app, name }) => placeText({ vhost, app, stream: name }) === placeText(program));
    if (now && running.get(placeText(program))?.onAir === '') await mediaServer.kick(now.clientId).catch(() => false);
  }

  async #write(write: () => Promise<unknown>): Promise<void> {
    this.#known = undefined;
    await write();
    // Another caller may have loaded it since.
    this.#known = undefined;
  }

  /** A failed update reaches the engine at its next start. */
  async #changed(): Promise<void> {
    await this.#context.onChange();
    await this.push().catch((error: unknown) =>
      this.#context.log.warn({ err: error }, 'programs not sent to the engine'),
    );
  }
}

function newKey(): string {
  return randomBytes(16).toString('hex');
}

function freeId(kind: string, taken: ReadonlySet<string>): string {
  if (!taken.has(kind)) return kind;
  for (let number = 2; ; number++) if (!taken.has(`${kind}-${number}`)) return `${kind}-${number}`;
}

function toRow(program: Program, status: ProgramStatus | undefined): ProgramRow {
  const slate = program.inputs.find(({ kind }) => kind === 'slate')?.id ?? slateInput;
  const shown = (id: string) => (id === slateInput ? slate : id);
  const onAir = shown(status?.onAir ?? '');
  return {
    ...program,
    // Keys of our own processes stay private.
    inputs: program.inputs.map((input) => (isFetched(input) ? { ...input, key: '' } : input)),
    onAir,
    onAirSince: status && onAir !== '' ? new Date(status.onAirAtMs).toISOString() : '',
    armed: shown(status?.armed ?? ''),
    isHeld: status?.isHeld ?? false,
    states: (status?.inputs ?? []).map(({ clientId: _client, protocol, ...state }) => ({
      ...state,
      isOnAir: state.id === onAir,
      protocol: protocol.split('-')[0] ?? '',
    })),
    switches: (status?.switches ?? []).map(({ fromId, toId, reason, atMs, gapMs }) => ({
      from: shown(fromId),
      to: shown(toId),
      reason,
      at: new Date(atMs).toISOString(),
      gapMs,
    })),
  };
}
