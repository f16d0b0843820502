import type { Socket } from 'node:net';
import type { ClientEntry } from '../clients/clients.ts';
import type { SendQueue } from './send-queue.ts';

/** One viewer: a socket, and whether it keeps up. */
export interface Viewer {
  readonly client: ClientEntry;
  readonly socket: Socket;
  readonly queue: SendQueue;
  /** Since when it gets nothing because it did not take what it had; undefined while it keeps up. */
  behindSinceMs: number | undefined;
  /** Stream position it was given by then. */
  givenUntil: number | undefined;
  /** True until the first frame: headers name the tracks, which are unknown before. */
  isWaiting: boolean;
  /** The batch that was being gathered when it joined, and how much of it the viewer got from the cache. */
  joinedIn: number;
  joinedAt: number;
}
