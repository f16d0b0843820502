import type { Socket } from 'node:net';
import type { ClientEntry } from '../clients/clients.ts';
import type { Seat } from './delivery.ts';
import type { SendQueue } from './send-queue.ts';

export type ViewerClient = Pick<ClientEntry, 'counters' | 'kick' | 'lag'>;

/** One viewer: a socket, and whether it keeps up. */
export interface Viewer {
  readonly client: ViewerClient;
  readonly socket: Socket;
  readonly queue: SendQueue;
  /** Since when it gets nothing because it did not take what it had; undefined while it keeps up. */
  behindSinceMs: number | undefined;
  /** Stream position it was given by then. */
  givenUntil: number | undefined;
  /** Its place in another process, from the time that this was asked to share the connection. */
  seat: Seat | undefined;
  /** True until the first frame: headers name the tracks, which are unknown before. */
  isWaiting: boolean;
  /** Place in the stream up to which it got everything when it joined. */
  joinedAt: number;
}
