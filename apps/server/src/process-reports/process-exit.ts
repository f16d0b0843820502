import type { ProcessExit } from '@weir/contract';
import type { ProcessExit as ObservedExit } from '@weir/plane';

/** Exit record on the wire, the same for every kind of process. */
export function processExit(exit: ObservedExit | null | undefined): ProcessExit | null {
  if (!exit) return null;
  const { at, isWanted: wanted, code, signal, reason } = exit;
  return { at, wanted, code, signal, reason };
}
