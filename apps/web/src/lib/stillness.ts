/** Without a step for so long nobody scrolls any more. */
const restMs = 150;

const listeners = new Set<() => void>();
let timer: ReturnType<typeof setTimeout> | undefined;

window.addEventListener(
  'scroll',
  () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      timer = undefined;
      for (const listener of listeners) listener();
    }, restMs);
  },
  { passive: true },
);

/** Whether the page rests. While it is scrolled, what can wait does: a frame has 16 milliseconds for everything. */
export function isStill(): boolean {
  return timer === undefined;
}

/** Told whenever the page has come to rest. Returns how to leave it. */
export function onStill(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
