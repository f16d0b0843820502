import { useSyncExternalStore } from 'react';

/** The failure the page is telling about. One at a time: the newest is the one the person just caused. */
let current: { error: unknown } | undefined;
const listeners = new Set<() => void>();

export function reportError(error: unknown): void {
  change({ error });
}

export function dismissError(): void {
  change(undefined);
}

export function useReportedError(): { error: unknown } | undefined {
  return useSyncExternalStore(subscribe, () => current);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function change(next: { error: unknown } | undefined): void {
  current = next;
  for (const listener of listeners) listener();
}
