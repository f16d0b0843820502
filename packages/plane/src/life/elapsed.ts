/** Milliseconds on a clock that only runs forward. Not of `performance`, which is two megabytes of a process that has no other use for it. */
export function elapsedMs(): number {
  const [seconds, nanoseconds] = process.hrtime();
  return seconds * 1000 + nanoseconds / 1e6;
}
