/** Seconds, to the millisecond. */
export function wholeMs(seconds: number): number {
  return Math.round(seconds * 1000) / 1000;
}
