import { Listeners } from './listeners.ts';

/** Scrolling has ended after this time without a scroll event. */
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

/** False while scrolling; updates that can wait do, because a frame has 16 ms for everything. */
export function isScrollIdle(): boolean {
  return timer === undefined;
}

/** Called when scrolling ends. Returns a function that removes the listener. */
export const onScrollIdle = listeners.add;
