import type { SharedBytes } from './shared-bytes.ts';

/** A place in another process for a connection that this one reads: it sends stored answers there. */
export interface AnswerSeat {
  /** Sends a head and what follows it. False if that process cannot now. `onSent`: the system has taken all of it. */
  send(head: Buffer, bytes: SharedBytes, onSent: () => void): boolean;
  /** The connection is over, or goes on without it. */
  leave(): void;
}
