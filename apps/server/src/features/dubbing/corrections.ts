import type { KnownGroup } from '@weir/contract';
import { AiError } from '../../ai/ai.ts';
import { type Clock, isoNow } from '../../core/clock.ts';
import { WeirError } from '../../core/errors.ts';
import type { Opened } from './open-projects.ts';
import { refusal } from './refusal.ts';
import type { GroupRow } from './script/rows.ts';
import { divided, edited, merged, regrouped } from './script/script-edits.ts';

interface Context {
  readonly clock: Clock;
  /** A project that was started. */
  readonly open: (uuid: string) => Promise<Opened>;
  /** Continues with the missing parts. */
  readonly wake: (opened: Opened) => void;
}

/** A group as a client saw it last. */
interface Seen {
  readonly group: string;
  readonly revision: number;
}

/** Prioritises a group that a user waits for. */
const finishMs = 90_000;

/**
 * Edits of groups by people. The reply waits until everything that depends on the edit is renewed, but not for the rest
 * of the video.
 */
export class Corrections {
  readonly #context: Context;

  constructor(context: Context) {
    this.#context = context;
  }

  /** Rephrases a line in fewer words. */
  rephrase(uuid: string, group: string): Promise<void> {
    return this.#forGroup(uuid, group, async ({ task }, row, signal) => {
      await task.work.groups.shorten(row, signal);
    });
  }

  /** In the same words, once more. */
  speak(uuid: string, group: string, revision?: number): Promise<void> {
    return this.#forGroup(uuid, group, async ({ task: { script } }, row) => {
      assertSame(row, revision);
      assertTaken(await script.change(row, { takes: row.takes + 1, voice: null, cause: null, failures: 0 }));
    });
  }

  merge(uuid: string, group: string, direction: string): Promise<void> {
    if (direction !== 'next' && direction !== 'prev')
      throw new WeirError('invalid_input', 'invalid direction, should be next or prev');
    return this.#forGroup(uuid, group, async ({ task: { script } }, row) => {
      const other = script.groups[script.placeOf(group) + (direction === 'next' ? 1 : -1)];
      if (!other) throw refusal('no-neighbour', 'merge group: there is no group on that side');
      const [first, second] = direction === 'next' ? [row, other] : [other, row];
      const one = { ...merged(first, second), uuid: row.uuid };
      assertTaken(await script.replace([first, second], [one]));
    });
  }

  split(uuid: string, group: string, at: number, revision?: number): Promise<void> {
    return this.#forGroup(uuid, group, async ({ task: { script } }, row) => {
      assertSame(row, revision);
      assertTaken(await script.replace([row], divided(row, at)));
    });
  }

  edit(
    uuid: string,
    group: string,
    { revision, ...edit }: Parameters<typeof edited>[1] & { revision?: number | undefined },
  ): Promise<void> {
    return this.#forGroup(uuid, group, async (opened, row) => {
      assertSame(row, revision);
      const next = edited(row, edit, this.#around(opened, [row]));
      assertTaken(await opened.task.script.replace([row], [next]));
    });
  }

  /** Undoes splitting or merging of groups, unless the results were edited. */
  regroup(uuid: string, seen: readonly Seen[], known: readonly KnownGroup[]): Promise<void> {
    return this.#correct(uuid, async (opened) => {
      const { script } = opened.task;
      const rows = seen.map(({ group, revision }) => {
        const row = script.groups[script.placeOf(group)];
        assertTaken(row !== undefined);
        assertSame(row, revision);
        return row;
      });
      const places = rows.map((row) => script.placeOf(row.uuid));
      const ids = known.map((one) => one.uuid);
      const isFree = ids.every((id) => script.placeOf(id) === -1 || rows.some((row) => row.uuid === id));
      assertTaken(places.every((place, at) => place === (places[0] ?? 0) + at));
      assertTaken(isFree && new Set(ids).size === ids.length);
      assertTaken(await script.replace(rows, regrouped(rows, known, this.#around(opened, rows))));
      return ids;
    });
  }

  #around({ project, task: { script } }: Opened, rows: readonly GroupRow[]) {
    const [first, last] = [rows[0], rows.at(-1)];
    return {
      before: first && script.groups[script.placeOf(first.uuid) - 1],
      after: last && script.after(last.uuid),
      filmSeconds: project.format?.duration ?? 0,
      now: isoNow(this.#context.clock),
    };
  }

  #forGroup(
    uuid: string,
    group: string,
    change: (opened: Opened, row: GroupRow, signal: AbortSignal) => Promise<void>,
  ): Promise<void> {
    return this.#correct(uuid, async (opened, signal) => {
      await change(opened, opened.task.script.group(group), signal);
      return [group];
    });
  }

  /** Changes something and does what the groups lack that are named then. */
  async #correct(
    uuid: string,
    change: (opened: Opened, signal: AbortSignal) => Promise<readonly string[]>,
  ): Promise<void> {
    const opened = await this.#context.open(uuid);
    const { task } = opened;
    const signal = AbortSignal.timeout(finishMs);
    const wasDone = await task.reopen();
    try {
      const changed = await change(opened, signal);
      for (const group of task.isWanted ? changed : []) await task.work.finish(group, signal);
    } catch (error) {
      if (signal.aborted)
        throw new WeirError('unavailable', 'AI did not answer in time; the work continues', { cause: error });
      if (error instanceof AiError)
        throw new WeirError('unavailable', error.message, { why: { kind: 'ai', fact: error.cause }, cause: error });
      throw error;
    } finally {
      if (wasDone) await task.settle();
      if (task.isWanted) this.#context.wake(opened);
    }
  }
}

function assertSame({ revision }: GroupRow, known: number | undefined): void {
  assertTaken(known === undefined || known === revision);
}

/** Two people, or two windows of one. */
function assertTaken(isTaken: boolean): asserts isTaken {
  if (!isTaken)
    throw new WeirError('invalid_input', 'the group was changed in the meantime, reload it', {
      why: { kind: 'changed', fact: '' },
    });
}
