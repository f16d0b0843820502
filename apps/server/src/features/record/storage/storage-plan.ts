import type { RecordStorageRule } from '@weir/contract';

export interface Space {
  readonly freeBytes: number;
  readonly totalBytes: number;
}

/** A recording, as far as its room matters. */
export interface Stored {
  readonly uuid: string;
  readonly startedAtMs: number;
  /** 0 while it is recorded. */
  readonly endedAtMs: number;
  readonly totalBytes: number;
  /** True if it is finished and may be removed. */
  readonly isOver: boolean;
}

interface Question {
  readonly rule: RecordStorageRule;
  readonly space: Space;
  readonly stored: readonly Stored[];
  /** Recording has stopped already: it resumes only with some room to spare, or it would stop again at once. */
  readonly isStopped: boolean;
  readonly nowMs: number;
}

export interface StoragePlan {
  /** Recordings to delete, in this order. */
  readonly remove: readonly string[];
  /** The limit that is reached; empty: none. */
  readonly limit: 'floor' | 'quota' | '';
  /** True if there is space afterwards. */
  readonly mayRecord: boolean;
}

const dayMs = 24 * 3600_000;
const mostFloorBytes = 1024 ** 3;
const mostMarginBytes = 256 * 1024 ** 2;

export function freeSpaceFloor({ floorBytes }: RecordStorageRule, { totalBytes }: Space): number {
  return floorBytes > 0 ? floorBytes : Math.min(mostFloorBytes, Math.floor(totalBytes / 20));
}

export function sumUsedBytes(stored: readonly Stored[]): number {
  return stored.reduce((sum, { totalBytes }) => sum + totalBytes, 0);
}

/** Applies the rules: age and size first; at a limit, the oldest finished ones, as far as configured. */
export function planStorage({ rule, space, stored, isStopped, nowMs }: Question): StoragePlan {
  const floor = freeSpaceFloor(rule, space);
  const oldest = stored.filter(({ isOver }) => isOver).sort((a, b) => a.endedAtMs - b.endedAtMs);
  const remove: string[] = [];
  let free = space.freeBytes;
  let used = sumUsedBytes(stored);
  const take = () => {
    const next = oldest.shift();
    if (!next) return false;
    remove.push(next.uuid);
    free += next.totalBytes;
    used -= next.totalBytes;
    return true;
  };
  const isTooOld = () => rule.keepDays > 0 && (oldest[0]?.endedAtMs ?? nowMs) < nowMs - rule.keepDays * dayMs;
  while (isTooOld()) take();
  while (rule.keepBytes > 0 && used > rule.keepBytes && take());

  const limitAt = (margin: (limit: number) => number): StoragePlan['limit'] => {
    if (free < floor + margin(floor)) return 'floor';
    return rule.quotaBytes > 0 && used >= rule.quotaBytes - margin(rule.quotaBytes) ? 'quota' : '';
  };
  const limit = limitAt(isStopped ? marginOf : () => 0);
  if (limit === '' || rule.atLimit === 'stop') return { remove, limit, mayRecord: limit === '' };
  // Some more than is needed now, so that this is not done for every segment.
  while (limitAt(marginOf) !== '' && take());
  return { remove, limit, mayRecord: limitAt(() => 0) === '' };
}

/** Room beside a limit that is freed with what is needed. */
export function marginOf(limit: number): number {
  return Math.min(mostMarginBytes, Math.floor(limit / 10));
}

const windowMs = 7 * dayMs;
const leastMs = 10 * 60_000;

/** Growth of recordings in the last week, and when they reach a limit at that rate. */
export function forecast({ rule, space, stored, nowMs }: Omit<Question, 'isStopped'>): {
  bytesPerDay: number;
  fullInDays: number | null;
} {
  let firstMs = nowMs;
  let bytes = 0;
  for (const { startedAtMs, endedAtMs, totalBytes } of stored) {
    const endMs = endedAtMs || nowMs;
    const fromMs = Math.max(startedAtMs, nowMs - windowMs);
    if (endMs <= fromMs) continue;
    firstMs = Math.min(firstMs, fromMs);
    bytes += (totalBytes * (endMs - fromMs)) / Math.max(1, endMs - startedAtMs);
  }
  const bytesPerDay = Math.round((bytes / Math.max(leastMs, nowMs - firstMs)) * dayMs);
  const used = sumUsedBytes(stored);
  const quotaRoom = rule.quotaBytes > 0 ? rule.quotaBytes - used : Number.POSITIVE_INFINITY;
  const room = Math.max(0, Math.min(space.freeBytes - freeSpaceFloor(rule, space), quotaRoom));
  const staysBelow = rule.keepDays > 0 && bytesPerDay * rule.keepDays <= used + room;
  const isBounded = rule.atLimit === 'delete-oldest' || (rule.keepBytes > 0 && rule.keepBytes <= used + room);
  if (bytesPerDay === 0 || staysBelow || isBounded) return { bytesPerDay, fullInDays: null };
  return { bytesPerDay, fullInDays: Math.round((room / bytesPerDay) * 10) / 10 };
}
