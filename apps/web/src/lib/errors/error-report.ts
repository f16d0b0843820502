import { useSyncExternalStore } from 'react';
import { Listeners } from '../listeners.ts';

interface Reported {
  readonly error: unknown;
  /** Set for recurring failures: the report disappears when they stop. Without it a single action failed. */
  readonly cause?: string | undefined;
}

/** Only the newest error is shown: it belongs to the user's last action. */
let current: Reported | undefined;
const listeners = new Listeners();

export function reportError(error: unknown, cause?: string): void {
  change({ error, cause });
}

export function dismissError(): void {
  change(undefined);
}

/** Withdraws the error of an action after another one succeeded or the page was left. */
export function dismissActionError(): void {
  if (current && current.cause === undefined) change(undefined);
}

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
