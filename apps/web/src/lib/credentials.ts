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

/** Stores the response of `init`, `login` or a password change unchanged. Returns false when it contains no credentials. */
export function saveCredentials(answer: unknown): boolean {
  if (!parseCredentials(answer)) return false;
  hasEnded = false;
  replace(JSON.stringify(answer));
  return true;
}

/** The server no longer accepts the credentials. Pages stay as they are for the next sign-in. */
export function endSession(): void {
  hasEnded = true;
  replace(undefined);
}

/** Sign-out by the user: all page state is discarded. */
export function signOut(): void {
  hasEnded = false;
  sessionGeneration += 1;
  replace(undefined);
}

export function useCredentials(): Credentials | undefined {
  return useSyncExternalStore(listeners.add, readCredentials);
}

/** True after a session that ended without a sign-out. */
export function useHasSessionEnded(): boolean {
  return useSyncExternalStore(listeners.add, () => hasEnded);
}

/** Changes with every sign-out; page state of an older generation is discarded. */
export function useSessionGeneration(): number {
  return useSyncExternalStore(listeners.add, () => sessionGeneration);
}

function replace(next: string | undefined): void {
  writeStorage(storageKeys.credentials, next);
  applyStored(next ?? null);
}

function applyStored(next: string | null): void {
  text = next;
  // Keeps the object identity while the credentials are equal, to avoid renders.
  const parsed = parseCredentials(parseJson(next));
  if (parsed?.token !== current?.token || parsed?.bearer !== current?.bearer) current = parsed;
  listeners.notify();
}

// Follows sign-in and sign-out in other tabs.
window.addEventListener('storage', (event) => {
  if (event.key !== storageKeys.credentials && event.key !== null) return;
  const next = readStorage(storageKeys.credentials);
  if (next === null) sessionGeneration += 1;
  hasEnded = false;
  applyStored(next);
});
