import type { RecordStorage } from '@weir/contract';
import type { Log } from '@weir/plane';
import type { Clock } from '../../../core/clock.ts';
import type { RecordSettingsRepository } from '../record-settings.ts';
import type { RecordingDisk } from './recording-disk.ts';
import {
  forecast,
  freeSpaceFloor,
  marginOf,
  planStorage,
  type Space,
  type StoragePlan,
  type Stored,
  sumUsedBytes,
} from './storage-plan.ts';

interface Context {
  readonly disk: Pick<RecordingDisk, 'prepare' | 'measure' | 'makeRoom'>;
  readonly settings: Pick<RecordSettingsRepository, 'read'>;
  readonly stored: () => Promise<Stored[]>;
  /** Deletes a finished recording. */
  readonly remove: (uuid: string) => Promise<void>;
  /** Disk space is exhausted. */
  readonly onStopped: () => Promise<void>;
  readonly log: Log;
  readonly clock: Clock;
  /** Time for which a failed write keeps the alert, so that it does not flicker. */
  readonly holdMs?: number;
}

type State = RecordStorage['state'];
type Limit = RecordStorage['limit'];

/** Interval between counts of all rows while no limit is near. The free disk space is read at every check. */
const countMs = 30_000;
const defaultHoldMs = 10_000;
const fullCodes = ['ENOSPC', 'EDQUOT'];
const brokenCodes = ['EROFS', 'EIO', 'EACCES', 'EPERM', 'ENOTDIR', 'ENXIO', 'ENODEV', 'ESTALE'];

/** Enforces the storage limits of recordings, and decides whether more may be recorded. */
export class StorageGovernor {
  readonly #context: Context;
  #state: State = 'ok';
  #limit: Limit = '';
  #sinceMs = 0;
  #space: Space = { freeBytes: 0, totalBytes: 0 };
  #usedBytes = 0;
  #floorBytes = 0;
  #forecast: { bytesPerDay: number; fullInDays: number | null } = { bytesPerDay: 0, fullInDays: null };
  #deleted = 0;
  #tookBytes = 0;
  #countedAtMs = Number.NEGATIVE_INFINITY;
  #checking: Promise<void> | undefined;
  #isCountDue = true;
  #heldUntilMs = Number.NEGATIVE_INFINITY;
  /** Open recordings are still to be closed. */
  #isStopDue = false;

  constructor(context: Context) {
    this.#context = context;
  }

  mayRecord(): boolean {
    return this.#state === 'ok' || this.#state === 'deleting';
  }

  took(bytes: number): void {
    this.#tookBytes += bytes;
  }

  /** Handles a failed write. Only errors about disk space or the directory matter here. */
  refused(error: unknown): void {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    const isFull = fullCodes.includes(code);
    if (!isFull && !brokenCodes.includes(code)) return;
    this.#isCountDue = true;
    this.#heldUntilMs = this.#context.clock.elapsedMs() + (this.#context.holdMs ?? defaultHoldMs);
    this.#enter(isFull ? 'stopped' : 'failing', isFull ? 'floor' : 'directory');
  }

  /** Makes the next check count all rows, because settings or recordings changed. */
  wake(): void {
    this.#isCountDue = true;
  }

  /**
   * True if a file of this size fits beside its recording; the oldest recordings are removed for it where the rule says
   * so.
   */
  async makeRoomFor(bytes: number, uuid: string): Promise<boolean> {
    const { rule } = await this.#context.settings.read();
    // Half of the reserve may be used to finish existing recordings.
    const fits = async () => {
      const space = await this.#context.disk.measure();
      return space.freeBytes - bytes >= freeSpaceFloor(rule, space) / 2;
    };
    if (await fits()) return true;
    if (rule.atLimit !== 'delete-oldest') return false;
    const { freeBytes, totalBytes } = await this.#context.disk.measure();
    const space = { freeBytes: freeBytes - bytes, totalBytes };
    const stored = (await this.#context.stored()).filter((each) => each.uuid !== uuid);
    const plan = planStorage({ rule, space, stored, isStopped: false, nowMs: this.#context.clock.dateMs() });
    await this.#remove(plan);
    return fits();
  }

  /** Measures, plans and applies the plan, one run at a time. Parallel callers share a run. */
  check(): Promise<void> {
    this.#checking ??= this.#check().finally(() => {
      this.#checking = undefined;
    });
    return this.#checking;
  }

  async report(): Promise<RecordStorage> {
    this.#isCountDue = true;
    await this.check();
    return {
      state: this.#state,
      limit: this.#limit,
      since: this.#sinceMs === 0 ? '' : new Date(this.#sinceMs).toISOString(),
      usedBytes: this.#usedBytes,
      ...this.#space,
      floorBytes: this.#floorBytes,
      ...this.#forecast,
      deleted: this.#deleted,
    };
  }

  /** Alert for the overview; undefined while there is space. */
  alert(): { since: string } | undefined {
    return this.mayRecord() ? undefined : { since: new Date(this.#sinceMs).toISOString() };
  }

  async #check(): Promise<void> {
    const { settings, disk, log } = this.#context;
    const { rule } = await settings.read();
    try {
      await disk.prepare({ isDoubtful: this.#state === 'failing' });
      this.#space = await disk.measure();
    } catch (error) {
      if (this.#state !== 'failing') log.error({ err: error }, 'the recording directory could not be used');
      await this.#goTo('failing', 'directory');
      return;
    }
    this.#floorBytes = freeSpaceFloor(rule, this.#space);
    await this.#shortenWindows();
    const used = this.#usedBytes + this.#tookBytes;
    const isNear =
      this.#space.freeBytes < 2 * this.#floorBytes || (rule.quotaBytes > 0 && used >= 0.9 * rule.quotaBytes);
    const isDue = this.#isCountDue || isNear || this.#context.clock.elapsedMs() - this.#countedAtMs >= countMs;
    if (isDue || !this.mayRecord()) await this.#plan();
    else this.#usedBytes = used;
    this.#tookBytes = 0;
  }

  /** Some more than is needed now, so that this is not done for every segment. */
  async #shortenWindows(): Promise<void> {
    const { disk } = this.#context;
    const { freeBytes } = this.#space;
    const missing = freeBytes < this.#floorBytes ? this.#floorBytes + marginOf(this.#floorBytes) - freeBytes : 0;
    await disk.makeRoom(missing);
    if (missing > 0) this.#space = await disk.measure();
  }

  async #plan(): Promise<void> {
    const { settings, stored: list } = this.#context;
    const { rule } = await settings.read();
    this.#isCountDue = false;
    this.#countedAtMs = this.#context.clock.elapsedMs();
    const stored = await list();
    const nowMs = this.#context.clock.dateMs();
    const isStopped = !this.mayRecord();
    const plan = planStorage({ rule, space: this.#space, stored, isStopped, nowMs });
    await this.#remove(plan);
    const gone = new Set(plan.remove);
    const left = stored.filter(({ uuid }) => !gone.has(uuid));
    if (gone.size > 0) this.#space = await this.#context.disk.measure();
    this.#usedBytes = sumUsedBytes(left);
    this.#forecast = forecast({ rule, space: this.#space, stored: left, nowMs });
    const isHeld = this.#context.clock.elapsedMs() < this.#heldUntilMs;
    if (!plan.mayRecord || isHeld) await this.#goTo('stopped', plan.limit || 'floor');
    else if (plan.limit !== '') await this.#goTo('deleting', plan.limit);
    else await this.#goTo('ok', '');
  }

  async #remove({ remove, limit }: StoragePlan): Promise<void> {
    for (const uuid of remove) {
      await this.#context.remove(uuid);
      this.#deleted++;
      this.#context.log.info({ uuid, limit }, 'a recording was deleted by the storage rules');
    }
  }

  async #goTo(state: State, limit: Limit): Promise<void> {
    this.#enter(state, limit);
    if (!this.#isStopDue) return;
    this.#isStopDue = false;
    if (!this.mayRecord()) await this.#context.onStopped();
  }

  #enter(state: State, limit: Limit): void {
    if (this.#state === state && this.#limit === limit) return;
    const couldRecord = this.mayRecord();
    this.#state = state;
    this.#limit = limit;
    this.#sinceMs = this.#context.clock.dateMs();
    if (!this.mayRecord()) {
      if (couldRecord) this.#isStopDue = true;
      this.#context.log.error({ state, limit, ...this.#space }, 'recording stopped: not enough disk space');
    } else if (!couldRecord) this.#context.log.info('disk space is available again, recording resumes');
  }
}
