import type { Clock } from '../core/clock.ts';
import { longestRetryMs, type UploadJob } from './upload-job.ts';

/** Fields in memory of a waiting file: the rest is in the journal. */
interface Waiting {
  readonly owner: string;
  readonly id: string;
  readonly lane: string;
  readonly bytes: number;
  readonly isSpooled: boolean;
}

const never = 2 ** 31 - 1;

/** Order of uploads: files of a lane in sequence, lanes independently. Holds keys of the journal. */
export class UploadLanes {
  readonly #waiting = new Map<string, Waiting>();
  readonly #lanes = new Map<string, string[]>();
  readonly #keys = new Map<string, string>();
  readonly #active = new Set<string>();
  readonly #notBeforeMs = new Map<string, number>();
  readonly #clock: Pick<Clock, 'dateMs'>;
  spooledBytes = 0;

  constructor(clock: Pick<Clock, 'dateMs'>) {
    this.#clock = clock;
  }

  get files(): number {
    return this.#waiting.size;
  }

  /** In the order of the journal. */
  add(key: string, { owner, id, lane, bytes, isSpooled, nextTryAtMs }: UploadJob): void {
    if (this.#waiting.has(key)) return;
    this.#waiting.set(key, { owner, id, lane, bytes, isSpooled });
    this.#keys.set(`${owner} ${id}`, key);
    if (isSpooled) this.spooledBytes += bytes;
    const name = `${owner} ${lane}`;
    const keys = this.#lanes.get(name);
    if (keys) keys.push(key);
    else this.#lanes.set(name, [key]);
    // Bounded, because the stored time may come from a wrong clock.
    if (nextTryAtMs > 0) this.#notBeforeMs.set(key, Math.min(nextTryAtMs, this.#clock.dateMs() + longestRetryMs));
  }

  remove(key: string): void {
    const found = this.#waiting.get(key);
    if (!found) return;
    this.#waiting.delete(key);
    this.#keys.delete(`${found.owner} ${found.id}`);
    this.#active.delete(key);
    this.#notBeforeMs.delete(key);
    if (found.isSpooled) this.spooledBytes -= found.bytes;
    const name = `${found.owner} ${found.lane}`;
    const left = this.#lanes.get(name) ?? [];
    if (left[0] === key) left.shift();
    else left.splice(left.indexOf(key), 1);
    if (left.length === 0) this.#lanes.delete(name);
  }

  /** Undefined when it does not wait. */
  bytesOf(owner: string, id: string): number | undefined {
    return this.#waiting.get(this.keyOf(owner, id) ?? '')?.bytes;
  }

  keyOf(owner: string, id: string): string | undefined {
    return this.#keys.get(`${owner} ${id}`);
  }

  idsOf(owner: string): string[] {
    return [...this.#waiting.values()].filter((waiting) => waiting.owner === owner).map(({ id }) => id);
  }

  isActive(owner: string, id: string): boolean {
    return this.#active.has(this.keyOf(owner, id) ?? '');
  }

  lengthOf(owner: string, lane: string): number {
    return this.#lanes.get(`${owner} ${lane}`)?.length ?? 0;
  }

  headsOf(owner: string): string[] {
    return this.#heads().filter((key) => this.#waiting.get(key)?.owner === owner);
  }

  totalsOf(owner: string): { files: number; bytes: number; first: string | undefined } {
    let [files, bytes] = [0, 0];
    let first: string | undefined;
    for (const [key, waiting] of this.#waiting) {
      if (waiting.owner !== owner) continue;
      files++;
      bytes += waiting.bytes;
      first ??= key;
    }
    return { files, bytes, first };
  }

  /** Heads of lanes whose time has come, oldest first, at most so many. They are active until removed or put off. */
  due(nowMs: number, most: number): string[] {
    const ready = this.#heads()
      .filter((key) => !this.#active.has(key) && (this.#notBeforeMs.get(key) ?? 0) <= nowMs)
      .sort()
      .slice(0, Math.max(0, most));
    for (const key of ready) this.#active.add(key);
    return ready;
  }

  putOff(key: string, untilMs: number): void {
    this.#active.delete(key);
    if (this.#waiting.has(key)) this.#notBeforeMs.set(key, untilMs);
  }

  hurry(owner: string): void {
    for (const key of this.headsOf(owner)) this.#notBeforeMs.delete(key);
  }

  /** Time until the next file is due. */
  nextDueMs(nowMs: number): number {
    const times = this.#heads()
      .filter((key) => !this.#active.has(key))
      .map((key) => this.#notBeforeMs.get(key) ?? nowMs);
    return times.length === 0 ? never : Math.max(100, Math.min(...times) - nowMs);
  }

  #heads(): string[] {
    return [...this.#lanes.values()].flatMap(([head]) => (head === undefined ? [] : [head]));
  }
}
