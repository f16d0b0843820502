import type { Program, ProgramInput } from '@weir/contract';
import { type ProcessSpec, relayArgs, type Scope, type Supervisor } from '@weir/process';
import { streamLabel } from '@weir/streams';
import type { Sources } from '../../media-sources/sources.ts';
import type { Destinations } from '../../outlets/destinations.ts';
import type { LiveInputs } from '../../outlets/live-inputs.ts';
import { isFetched } from './program-service.ts';

interface Context {
  readonly sources: Pick<Sources, 'get' | 'readingOf' | 'streamReading'>;
  readonly inputs: Pick<LiveInputs, 'publishAddress'>;
  readonly destinations: Pick<Destinations, 'prepare'>;
  readonly supervisor: Pick<Supervisor, 'scope'>;
  readonly programs: () => Promise<readonly Program[]>;
}

/** Inputs that this server sends itself: URLs that it reads and files in a loop, each by a process that publishes with the input's key. */
export class FetchedInputs {
  readonly #context: Context;
  readonly #processes: Scope;

  constructor(context: Context) {
    this.#context = context;
    this.#processes = context.supervisor.scope('program', () => this.#plan());
  }

  wake(): void {
    this.#processes.wake();
  }

  async #plan(): Promise<ProcessSpec[]> {
    const programs = (await this.#context.programs()).filter(({ enabled }) => enabled);
    const specs = programs.flatMap((program) =>
      program.inputs.filter(isFetched).map((input) => this.#specOf(program, input)),
    );
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
