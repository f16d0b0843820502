import { useSyncExternalStore } from 'react';
import { storageKeys, writeStorage } from '../../lib/browser/browser-storage.ts';
import { Listeners } from '../../lib/listeners.ts';
import { readStreamName } from '../../lib/storage.ts';

const listeners = new Listeners();
/** Holds also where the browser keeps nothing. */
let chosen: string | undefined;

/** The name this browser publishes under, the same on every screen and in every tab. */
export function useStreamName(): string {
  return useSyncExternalStore(listeners.add, () => chosen ?? readStreamName());
}

export function saveStreamName(name: string): void {
  writeStorage(storageKeys.streamName, name);
  chosen = readStreamName() === name ? undefined : name;
  listeners.notify();
}

/** Six hexadecimal digits of a random number; each that is a figure becomes one of the letters a to p. */
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
