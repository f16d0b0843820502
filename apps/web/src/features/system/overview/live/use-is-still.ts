import { useSyncExternalStore } from 'react';

/** Without a step for so long nobody scrolls any more. */
const restMs = 150;

const listeners = new Set<() => void>();
let timer: ReturnType<typeof setTimeout> | undefined;

function onScroll(): void {
  const wasStill = timer === undefined;
  clearTimeout(timer);
  timer = setTimeout(() => {
    timer = undefined;
    tell();
  }, restMs);
  if (wasStill) tell();
}

function tell(): void {
  for (const listener of listeners) listener();
}

function listen(listener: () => void): () => void {
  if (listeners.size === 0) window.addEventListener('scroll', onScroll, { passive: true });
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) window.removeEventListener('scroll', onScroll);
  };
}

/** Whether the page rests: pictures of what only passes by need not be fetched. */
export function useIsStill(): boolean {
  return useSyncExternalStore(listen, () => timer === undefined);
}
