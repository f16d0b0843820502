import { Listeners } from './listeners.ts';

/** Without a step for so long nobody scrolls any more. */
const restMs = 150;

const listeners = new Listeners();
let timer: ReturnType<typeof setTimeout> | undefined;

window.addEventListener(
  'scroll',
  () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      timer = undefined;
      listeners.notify();
    }, restMs);
  },
  { passive: true },
);

/** Whether the page rests. While it is scrolled, what can wait does: a frame has 16 milliseconds for everything. */
export function isScrollIdle(): boolean {
  return timer === undefined;
}

/** Told whenever the page has come to rest. Returns how to leave it. */
export const onScrollIdle = listeners.add;
