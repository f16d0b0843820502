import { useSyncExternalStore } from 'react';
import { storageKeys, writeStorage } from '../../lib/browser/browser-storage.ts';
import { Listeners } from '../../lib/listeners.ts';
import { readStreamName } from '../../lib/storage.ts';

const listeners = new Listeners();
/** Fallback for browsers without storage. */
let chosen: string | undefined;

/** Stream name of this browser, shared by all screens and tabs. */
export function useStreamName(): string {
  return useSyncExternalStore(listeners.add, () => chosen ?? readStreamName());
}

export function saveStreamName(name: string): void {
  writeStorage(storageKeys.streamName, name);
  chosen = readStreamName() === name ? undefined : name;
  listeners.notify();
}

/** Six random hexadecimal digits, with decimal ones replaced by letters from a to p. */
export function randomStreamName(randomByte: () => number = secureByte): string {
  return Array.from({ length: 6 }, () => {
    const digit = (randomByte() % 16).toString(16);
    return /\d/.test(digit) ? String.fromCharCode(97 + (randomByte() % 16)) : digit;
  }).join('');
}

function secureByte(): number {
  return crypto.getRandomValues(new Uint8Array(1))[0] ?? 0;
}

window.addEventListener('storage', (event) => {
  if (event.key === storageKeys.streamName || event.key === null) listeners.notify();
});
