import type { SharedBytes } from './shared-bytes.ts';

/** Place of a connection in a delivery worker. This process reads the requests, the worker sends stored answers. */
export interface AnswerSeat {
  /** Sends a head and its content. Returns false if the worker cannot now. `onSent`: the system has taken all of it. */
  send(head: Buffer, bytes: SharedBytes, onSent: () => void): boolean;
  /** Called when the connection ended or continues in this process. */
  leave(): void;
}
