import type { Socket } from 'node:net';
import type { AnswerSeat } from '../../delivery/answer-seat.ts';
import type { SecureSettings } from '../../delivery/secure-options.ts';
import type { RateMeter } from '../rate-meter.ts';
import type { Window } from './audience.ts';
import type { Viewer } from './viewer.ts';

/** One viewer in another process, which shares its connection. */
export interface Seat {
  /** The process has the connection, and sends nothing yet. */
  readonly isReady: boolean;
  /** Lets the process send every window from now on. This process must not write to the connection any more. */
  startSending(): void;
  /** Sends bytes between two windows. */
  reply(bytes: Buffer): void;
  /** Ends the seat, because the viewer left or stays in this process. */
  leave(): void;
}

/** One fan-out as other processes send it. */
export interface DeliveryFeed {
  /** Highest time for a window, and highest load, of the processes that send it. */
  readonly costMs: number;
  readonly load: number;
  /** Shares a viewer's connection with the least loaded process; undefined if none has room. `onLost`: the process or its seat is gone. */
  share(viewer: Viewer, onLost: (reason: string) => void): Seat | undefined;
  /** Sets the track configs for viewers that continue after a gap. */
  setConfigs(all: readonly Buffer[]): void;
  sendWindow(window: Window): void;
  close(): void;
}

/** A connection in another process, which speaks TLS for it. */
export interface SecureSeat {
  /** Name by which the process speaks of it, which nobody can guess. */
  readonly name: string;
  /** The connection is over. */
  leave(): void;
}

/** Other processes that send to viewers. */
export interface Delivery {
  /** True while viewers should be handed over. */
  readonly isWanted: boolean;
  /** Called after every window and large answer with the time that sending it took in this process. */
  addSendingTime(ms: number): void;
  openFeed(bytesOut: RateMeter): DeliveryFeed;
  /** Shares a connection that asks for one answer after the other. `onLost`: the seat is gone, in the middle of an answer or not. */
  shareAsking(socket: Socket, onLost: (isInAnswer: boolean) => void): AnswerSeat | undefined;
  /** Sets what processes need to speak TLS. */
  setSecure(settings: SecureSettings): void;
  /** Shares a connection of which nothing was read with a process that speaks TLS for it; undefined if none can. `onLost`: it is over. */
  shareSecure(socket: Socket, onLost: () => void): SecureSeat | undefined;
}
