import type { SecureSettings } from '../../delivery/secure-options.ts';
import type { EngineNote, WorkerNote } from '../link/notes.ts';

/** Message sent with a shared connection. */
export interface GivenMessage {
  readonly client: number;
  /** For a connection of which nothing was read: the worker speaks TLS for it, and calls it so at the engine's private socket. */
  readonly secureName?: string;
}

/** Messages from the engine to a delivery worker. Clients and feeds have numbers. */
export type DeliveryEngineNote =
  | Extract<EngineNote, { type: 'end' }>
  /** Fan-out of a stream for the viewers of this worker. `configs`: for a viewer that continues after a gap. */
  | { readonly type: 'configs'; readonly feed: number; readonly configs: readonly string[] }
  /** Window to send now, in the shared file. Earlier regions are not needed any more. */
  | {
      readonly type: 'window';
      readonly feed: number;
      readonly region: number;
      readonly place: number;
      readonly bytes: number;
      readonly frames: number;
      readonly isEntry: boolean;
    }
  /** A window that is not in the file. */
  | { readonly type: 'gap'; readonly feed: number; readonly frames: number }
  /** A client with a shared connection gets every window from now on. */
  | { readonly type: 'take'; readonly client: number; readonly feed: number }
  /** An answer for a client without a feed: its head, and its content in the shared file. Answered with `sent`. */
  | {
      readonly type: 'answer';
      readonly client: number;
      readonly head: string;
      readonly place: number;
      readonly bytes: number;
    }
  /** Certificate and settings of TLS. The answer is `secure`. */
  | ({ readonly type: 'certificate' } & SecureSettings)
  /** Bytes for one client, between two windows. */
  | { readonly type: 'reply'; readonly client: number; readonly bytes: string }
  /** The feed has no viewers in the worker any more. Answered with the same message. */
  | { readonly type: 'shut'; readonly feed: number };

/** Messages from a delivery worker to the engine. */
export type DeliveryWorkerNote =
  | Extract<WorkerNote, { type: 'report' | 'left' }>
  /** A connection has arrived. */
  | { readonly type: 'have'; readonly client: number }
  /** Answer: the worker can speak TLS. */
  | { readonly type: 'secure' }
  /** No byte of an earlier region will be read any more. */
  | { readonly type: 'passed'; readonly feed: number; readonly region: number }
  | { readonly type: 'shut'; readonly feed: number }
  /** The system has taken the whole answer. */
  | { readonly type: 'sent'; readonly client: number }
  /** Report per second: its load, and the sending time of a window of each feed. */
  | {
      readonly type: 'load';
      readonly load: number;
      readonly costs: readonly (readonly [feed: number, costMs: number])[];
    };
