import { useSyncExternalStore } from 'react';
import { parseJson, readStorage, storageKeys, writeStorage } from './browser/browser-storage.ts';
import { type Credentials, parseCredentials } from './browser/parse-credentials.ts';
import { Listeners } from './listeners.ts';

const listeners = new Listeners();
let text = readStorage(storageKeys.credentials);
let current = parseCredentials(parseJson(text));
let hasEnded = false;
let sessionGeneration = 0;

export function readCredentials(): Credentials | undefined {
  return current;
}

/** Stores the answer of `init`, `login` or a password change as it came. Says whether it was a sign-in at all. */
export function saveCredentials(answer: unknown): boolean {
  if (!parseCredentials(answer)) return false;
  hasEnded = false;
  replace(JSON.stringify(answer));
  return true;
}

/** The server takes the credential no longer. Whoever signs in again finds everything as it was left. */
export function endSession(): void {
  hasEnded = true;
  replace(undefined);
}

/** The person leaves: nothing of what was on the pages stays. */
export function signOut(): void {
  hasEnded = false;
  sessionGeneration += 1;
  replace(undefined);
}

export function useCredentials(): Credentials | undefined {
  return useSyncExternalStore(listeners.add, readCredentials);
}

/** Whether the last session ended without being asked to. */
export function useHasSessionEnded(): boolean {
  return useSyncExternalStore(listeners.add, () => hasEnded);
}

/** Another number is another person's work: pages kept for the one before go with it. */
export function useSessionGeneration(): number {
  return useSyncExternalStore(listeners.add, () => sessionGeneration);
}

function replace(next: string | undefined): void {
  writeStorage(storageKeys.credentials, next);
  applyStored(next ?? null);
}

function applyStored(next: string | null): void {
  text = next;
  // The same object for the same sign-in, so that nobody draws anew for nothing.
  const parsed = parseCredentials(parseJson(next));
  if (parsed?.token !== current?.token || parsed?.bearer !== current?.bearer) current = parsed;
  listeners.notify();
}

// Signing in or out in another tab of the same browser takes effect here too.
window.addEventListener('storage', (event) => {
  if (event.key !== storageKeys.credentials && event.key !== null) return;
  const next = readStorage(storageKeys.credentials);
  if (next === null) sessionGeneration += 1;
  hasEnded = false;
  applyStored(next);
});
