import { useSyncExternalStore } from 'react';
import { Listeners } from '../listeners.ts';

interface Reported {
  readonly error: unknown;
  /** What keeps failing; such a report goes when that works again. Without it, an action failed once. */
  readonly cause?: string | undefined;
}

/** The failure the page is telling about. One at a time: the newest is the one the person just caused. */
let current: Reported | undefined;
const listeners = new Listeners();

export function reportError(error: unknown, cause?: string): void {
  change({ error, cause });
}

export function dismissError(): void {
  change(undefined);
}

/** Takes back what was told about an action, after another one succeeded or its page was left. */
export function dismissActionError(): void {
  if (current && current.cause === undefined) change(undefined);
}

/** Takes back what was told about a cause that is gone. */
export function withdrawError(cause: string): void {
  if (current?.cause === cause) change(undefined);
}

export function isReported(cause: string): boolean {
  return current?.cause === cause;
}

export function useReportedError(): Reported | undefined {
  return useSyncExternalStore(listeners.add, () => current);
}

function change(next: Reported | undefined): void {
  if (next === current) return;
  current = next;
  listeners.notify();
}
