import { randomUUID } from 'node:crypto';
import { WeirError } from '../../../core/errors.ts';
import { Mutex } from '../../../core/mutex.ts';
import type { Collection, Store } from '../../../core/store/store.ts';
import { type GroupRow, type PartRow, rowKey, ScriptRow } from './rows.ts';

/** Groups of a project in order, backed by rows in the store. */
export class Script {
  readonly #rows: Collection<ScriptRow>;
  readonly #turns = new Mutex();
  #parts: readonly PartRow[] = [];
  #groups: readonly GroupRow[] = [];
  /** Index of each group by id; a script may have thousands. */
  #places: ReadonlyMap<string, number> = new Map();
  /** Revision of the last change, stored in its rows. */
  #revision = 0;
  /** Revision of the last change that added, removed or moved groups. */
  #reordered = 0;
  /** Revisions are numbered by this process; after a restart one may come again. */
  readonly #epoch = randomUUID().slice(0, 8);

  private constructor(rows: Collection<ScriptRow>) {
    this.#rows = rows;
  }

  static async load(store: Store, project: string): Promise<Script> {
    const script = new Script(store.collection(`dubbing-script-${project}`, ScriptRow));
    const rows = (await script.#rows.list()).map(({ value }) => value);
    script.#apply(rows);
    script.#revision = Math.max(0, ...script.#groups.map(({ revision }) => revision));
    return script;
  }

  get parts(): readonly PartRow[] {
    return this.#parts;
  }

  /** In the order of the film. */
  get groups(): readonly GroupRow[] {
    return this.#groups;
  }

  /** Names what there is now. */
  get cursor(): string {
    return `${this.#epoch}-${this.#revision}`;
  }

  /**
   * Indexes of the groups that changed after a cursor, and whether their order did; undefined for an unknown cursor.
   */
  changesSince(cursor: string): { places: number[]; isReordered: boolean } | undefined {
    const [epoch, text = ''] = cursor.split('-');
    const known = /^\d{1,15}$/.test(text) ? Number(text) : Number.POSITIVE_INFINITY;
    if (epoch !== this.#epoch || known > this.#revision) return undefined;
    const isChanged = (at: number) => (this.#groups[at]?.revision ?? 0) > known;
    // A group's available time depends on the start of the next one.
    const places = [...this.#groups.keys()].filter((at) => isChanged(at) || isChanged(at + 1));
    return { places, isReordered: this.#reordered > known };
  }

  group(uuid: string): GroupRow {
    const found = this.#groups[this.placeOf(uuid)];
    if (!found) throw new WeirError('not_found', 'there is no such group');
    return found;
  }

  /** -1: nowhere. */
  placeOf(uuid: string): number {
    return this.#places.get(uuid) ?? -1;
  }

  after(uuid: string): GroupRow | undefined {
    const at = this.placeOf(uuid);
    return at === -1 ? undefined : this.#groups[at + 1];
  }

  /** Writes rows and removes others as one step. Groups get a new revision. */
  write(rows: readonly ScriptRow[], removed: readonly ScriptRow[] = []): Promise<void> {
    return this.#turns.take(async () => this.#write(rows, removed));
  }

  /** Changes a group unless it was changed since. Returns false then, and writes nothing. */
  change(group: GroupRow, change: Partial<Omit<GroupRow, 'kind' | 'uuid' | 'revision'>>): Promise<boolean> {
    return this.replace([group], [{ ...group, ...change }]);
  }

  /** Replaces groups, unless one of them was changed since. */
  replace(before: readonly GroupRow[], now: readonly GroupRow[]): Promise<boolean> {
    return this.#turns.take(async () => {
      const isSame = before.every(({ uuid, revision }) => this.#groups[this.placeOf(uuid)]?.revision === revision);
      if (!isSame) return false;
      const kept = new Set(now.map(({ uuid }) => uuid));
      await this.#write(
        now,
        before.filter(({ uuid }) => !kept.has(uuid)),
      );
      return true;
    });
  }

  async clear(): Promise<void> {
    await this.#turns.take(() => this.#write([], [...this.#parts, ...this.#groups]));
  }

  async #write(rows: readonly ScriptRow[], removed: readonly ScriptRow[]): Promise<void> {
    const revision = this.#revision + 1;
    const numbered = rows.map((row) => (row.kind === 'group' ? { ...row, revision } : row));
    const changes = numbered.map((value) => ({ key: rowKey(value), value }));
    await this.#rows.apply([...removed.map((row) => ({ key: rowKey(row) })), ...changes]);
    this.#revision = revision;
    const gone = new Set([...removed, ...numbered].map(rowKey));
    const before = this.#groups;
    const others = [...this.#parts, ...before].filter((row) => !gone.has(rowKey(row)));
    this.#apply([...others, ...numbered]);
    const isSameOrder =
      before.length === this.#groups.length && before.every(({ uuid }, at) => this.#groups[at]?.uuid === uuid);
    if (!isSameOrder) this.#reordered = revision;
  }

  #apply(rows: readonly ScriptRow[]): void {
    this.#parts = rows.filter((row) => row.kind === 'part').sort((a, b) => a.index - b.index);
    this.#groups = rows
      .filter((row) => row.kind === 'group')
      .sort((a, b) => a.start - b.start || (a.uuid < b.uuid ? -1 : 1));
    this.#places = new Map(this.#groups.map(({ uuid }, at) => [uuid, at]));
  }
}
