import type { Arena } from '../native/arena.ts';
import type { NativeContext } from '../native/native-context.ts';
import type { Symbols } from '../native/symbols.ts';

/** Native functions and buffers for reading arrival times. */
export type TimeBench = Pick<NativeContext, 'arena' | 'number'> & { readonly symbols: Pick<Symbols, 'ioctl'> };

/** SIOCGSTAMPNS of Linux: when the datagram that was read last came. The first call turns it on. */
const lastArrival = 0x8907;
const mostWaitedMs = 1000;

/** A `timespec` (seconds:64 nanoseconds:64) on the clock of the wall. */
export function readTimespecMs({ view }: Arena, at: number): number {
  const seconds = view.getUint32(at, true) + view.getUint32(at + 4, true) * 2 ** 32;
  return seconds * 1000 + view.getUint32(at + 8, true) / 1e6;
}

/** Time between an arrival and now, within bounds: clocks are set. */
export function waitedSince(cameMs: number, nowMs: number): number {
  return Math.min(mostWaitedMs, Math.max(0, nowMs - cameMs));
}

/**
 * Returns the time for which the socket's last datagram had waited to be read; 0 where the system does not say. Publishers judge their line by
 * arrivals, so time in which this process could not run must not look like a queue on the line.
 */
export function waitedMs({ arena, number, symbols }: TimeBench, descriptor: number): number {
  if (symbols.ioctl(descriptor, lastArrival, arena.address(number.at, number.length)) < 0) return 0;
  return waitedSince(readTimespecMs(arena, number.at), Date.now());
}
