import { useSyncExternalStore } from 'react';
import { parseJson, read, storageKeys, write } from './storage.ts';

/** What a sign-in leaves in the browser: `token` goes into the body field of that name, `bearer` into the header. */
export interface Credentials {
  readonly token: string;
  readonly bearer: string;
}

/** A server answers a sign-in with a record, or with the bare token, which then serves as bearer too. */
export function parseCredentials(answer: unknown): Credentials | undefined {
  if (typeof answer === 'string') return answer === '' ? undefined : { token: answer, bearer: answer };
  if (typeof answer !== 'object' || answer === null || !('token' in answer)) return undefined;
  const { token } = answer;
  if (typeof token !== 'string' || token === '') return undefined;
  const bearer = 'bearer' in answer && typeof answer.bearer === 'string' ? answer.bearer : '';
  return { token, bearer: bearer || token };
}

const listeners = new Set<() => void>();
let text = read(storageKeys.credentials);
let current = parseCredentials(parseJson(text));

export function readCredentials(): Credentials | undefined {
  return current;
}

/** Stores the answer of `init`, `login` or a password change as it came. Says whether it was a sign-in at all. */
export function saveCredentials(answer: unknown): boolean {
  if (!parseCredentials(answer)) return false;
  replace(JSON.stringify(answer));
  return true;
}

export function dropCredentials(): void {
  replace(undefined);
}

export function useCredentials(): Credentials | undefined {
  return useSyncExternalStore(subscribe, readCredentials);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function replace(next: string | undefined): void {
  write(storageKeys.credentials, next);
  take(next ?? null);
}

function take(next: string | null): void {
  if (next === text) return;
  text = next;
  current = parseCredentials(parseJson(next));
  for (const listener of listeners) listener();
}

// Signing in or out in another tab of the same browser takes effect here too.
window.addEventListener('storage', (event) => {
  if (event.key === storageKeys.credentials || event.key === null) take(read(storageKeys.credentials));
});
