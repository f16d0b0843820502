import type { Socket } from 'node:net';
import type { AnswerSeat } from '../../delivery/answer-seat.ts';
import type { RateMeter } from '../rate-meter.ts';
import type { Window } from './audience.ts';
import type { Viewer } from './viewer.ts';

/** A viewer's place in another process that shares its connection. */
export interface Seat {
  /** The process has the connection, and sends nothing yet. */
  readonly isReady: boolean;
  /** It sends every window from now on. Nobody else may write to the connection. */
  take(): void;
  /** Sends bytes between two windows. */
  reply(bytes: Buffer): void;
  /** The viewer is gone, or stays here. */
  leave(): void;
}

/** What other processes send of one fan-out. */
export interface DeliveryFeed {
  /** Time that a window takes the busiest of them, and how busy that is. */
  readonly costMs: number;
  readonly load: number;
  /** Shares the connection of a viewer with the least loaded process. Undefined when there is none. `onLost`: it is gone, or its seat is. */
  share(viewer: Viewer, onLost: (reason: string) => void): Seat | undefined;
  /** What a viewer needs that goes on after a gap. */
  configs(all: readonly Buffer[]): void;
  window(window: Window): void;
  close(): void;
}

/** Other processes that send to viewers. */
export interface Delivery {
  /** True while they are to take over viewers. */
  readonly isWanted: boolean;
  /** After every window and large answer: the time that sending it took here. */
  spent(ms: number): void;
  open(bytesOut: RateMeter): DeliveryFeed;
  /** Shares a connection on which one asks for one answer after the other. `onLost`: the seat is gone, in the middle of an answer or not. */
  shareAsking(socket: Socket, onLost: (isInAnswer: boolean) => void): AnswerSeat | undefined;
}
