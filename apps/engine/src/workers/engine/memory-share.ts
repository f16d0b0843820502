import { totalmem } from 'node:os';

/** A share of the machine's memory, or of what our container may use. */
export function memoryShare(share: number): number {
  return Math.min(totalmem(), process.constrainedMemory() || totalmem()) * share;
}
