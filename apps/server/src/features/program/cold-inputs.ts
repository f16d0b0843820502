import type { Program, ProgramInput } from '@weir/contract';
import type { ProgramStatus } from '@weir/engine-api';

/** Time for which a cold input is still read after a better one was healthy long enough to return. */
const graceMs = 10_000;
/** Longest time for which a cold input is read because an operator switched to it. */
const askedMs = 30_000;

/** Decides which cold inputs are read now: those without a better healthy input. */
export class ColdInputs {
  /** Keyed by the key of the input. */
  readonly #warm = new Set<string>();
  readonly #askedAtMs = new Map<string, number>();

  /** True while an input is read, whose need must be checked regularly. */
  get isAnyWarm(): boolean {
    return this.#warm.size > 0;
  }

  /** Notes that an operator switched to an input. */
  ask(program: Pick<Program, 'uuid'>, input: string, nowMs: number): void {
    this.#askedAtMs.set(keyOf(program, input), nowMs);
  }

  /** Without a status, because the engine is away, the last decision stays. */
  isWanted(program: Program, input: ProgramInput, status: ProgramStatus | undefined, nowMs: number): boolean {
    const key = keyOf(program, input.id);
    const isWarm = status ? this.#isNeeded(program, input, status, nowMs) : this.#warm.has(key);
    if (isWarm) this.#warm.add(key);
    else this.#warm.delete(key);
    return isWarm;
  }

  /** Removes the state of deleted inputs. */
  keepOnly(programs: readonly Program[]): void {
    const kept = new Set(programs.flatMap((program) => program.inputs.map(({ id }) => keyOf(program, id))));
    for (const key of this.#warm) if (!kept.has(key)) this.#warm.delete(key);
    for (const key of this.#askedAtMs.keys()) if (!kept.has(key)) this.#askedAtMs.delete(key);
  }

  #isNeeded(program: Program, { id }: ProgramInput, { onAir, armed, inputs }: ProgramStatus, nowMs: number): boolean {
    const key = keyOf(program, id);
    if (onAir === id || armed === id) return true;
    if (nowMs - (this.#askedAtMs.get(key) ?? Number.NEGATIVE_INFINITY) < askedMs) return true;
    const at = program.inputs.findIndex((input) => input.id === id);
    const better = new Set(program.inputs.slice(0, at).map((input) => input.id));
    const good = inputs.filter((status) => better.has(status.id) && status.state === 'good');
    if (good.length === 0) return true;
    const healthyMs = program.returnSeconds * 1000 + graceMs;
    return this.#warm.has(key) && good.every(({ goodMs }) => goodMs < healthyMs);
  }
}

function keyOf({ uuid }: Pick<Program, 'uuid'>, input: string): string {
  return `${uuid}/${input}`;
}
