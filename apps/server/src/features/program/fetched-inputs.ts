import type { Program, ProgramInput } from '@weir/contract';
import type { ProgramStatus } from '@weir/engine-api';
import { type ProcessSpec, relayArgs, type Scope, type Supervisor } from '@weir/process';
import { placeText, streamLabel } from '@weir/streams';
import type { Clock } from '../../core/clock.ts';
import type { Sources } from '../../media-sources/sources.ts';
import type { Destinations } from '../../outlets/destinations.ts';
import type { LiveInputs } from '../../outlets/live-inputs.ts';
import { ColdInputs } from './cold-inputs.ts';
import { isFetched } from './program-service.ts';

interface Context {
  readonly sources: Pick<Sources, 'get' | 'readingOf' | 'streamReading'>;
  readonly inputs: Pick<LiveInputs, 'publishAddress'>;
  readonly destinations: Pick<Destinations, 'prepare'>;
  readonly supervisor: Pick<Supervisor, 'scope'>;
  readonly programs: () => Promise<readonly Program[]>;
  readonly running: () => Promise<ReadonlyMap<string, ProgramStatus>>;
  readonly clock: Pick<Clock, 'elapsedMs'>;
}

/** Somebody must notice when a cold input can be stopped: nothing tells of it. */
const lookMs = 2000;

/** Inputs that this server sends itself: URLs that it reads and files in a loop, each by a process that publishes with the input's key. */
export class FetchedInputs {
  readonly #context: Context;
  readonly #processes: Scope;
  readonly #cold = new ColdInputs();
  #look: NodeJS.Timeout | undefined;

  constructor(context: Context) {
    this.#context = context;
    this.#processes = context.supervisor.scope('program', () => this.#plan());
  }

  wake(): void {
    this.#processes.wake();
  }

  /** Somebody switches to an input by hand. A cold one is read from now on. */
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
