import type { Program, ProgramInput } from '@weir/contract';
import type { Log } from '@weir/plane';
import { streamLabel } from '@weir/streams';
import type { Clock } from '../../core/clock.ts';
import { plainArt, type SlateArt } from './program-plan.ts';
import type { SlateFiles } from './slate-files.ts';

/** Programs of an engine that has just started wait so long for the files of their slates. */
const waitMs = 2000;

interface Context {
  readonly files: Pick<SlateFiles, 'of' | 'keepOnly'>;
  readonly clock: Pick<Clock, 'pause'>;
  readonly log: Log;
}

/** The slate of each program, as the engine takes it. */
export class ProgramSlates {
  readonly #context: Context;
  /** Keyed by the id of the program. */
  readonly #art = new Map<string, SlateArt>();

  constructor(context: Context) {
    this.#context = context;
  }

  artOf({ uuid }: Pick<Program, 'uuid'>): SlateArt {
    return this.#art.get(uuid) ?? plainArt;
  }

  /** Makes the files of a slate. Throws with what is wrong about it. */
  async make(program: Program): Promise<void> {
    this.#art.set(program.uuid, await this.#context.files.of(slateOf(program)));
  }

  forget(uuid: string): void {
    this.#art.delete(uuid);
  }

  /** Reports existing files at once. `onLate` is called when missing ones are made. */
  async find(programs: readonly Program[], onLate: () => void): Promise<void> {
    const { clock, files } = this.#context;
    const found = Promise.all(
      programs
        .filter(({ uuid }) => !this.#art.has(uuid))
        .map(async (program) => this.#art.set(program.uuid, await this.#usable(program))),
    );
    const isInTime = await Promise.race([found.then(() => true), clock.pause(waitMs).then(() => false)]);
    if (isInTime) await files.keepOnly([...this.#art.values()]).catch(() => undefined);
    else void found.then(onLate);
  }

  /** A slate whose files are gone is no reason to be without a program. */
  #usable(program: Program): Promise<SlateArt> {
    return this.#context.files.of(slateOf(program)).catch((error: unknown) => {
      this.#context.log.warn({ err: error, stream: streamLabel(program) }, 'the usual slate stands in');
      return plainArt;
    });
  }
}

function slateOf({ inputs }: Program): ProgramInput | undefined {
  return inputs.find(({ kind }) => kind === 'slate');
}
