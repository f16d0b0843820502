import type { EngineNote, WorkerNote } from '../link/notes.ts';

/** Beside a connection that is shared with a worker. */
export interface GivenMessage {
  readonly client: number;
}

/** Messages from the engine to a delivery worker. Clients and feeds have numbers. */
export type DeliveryEngineNote =
  | Extract<EngineNote, { type: 'end' }>
  /** The fan-out of a stream, as far as viewers there get it. `configs`: for a viewer that goes on after a gap. */
  | { readonly type: 'configs'; readonly feed: number; readonly configs: readonly string[] }
  /** Goes out now: bytes of the shared file. Those of the regions before are of no use any more. */
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
  /** A client whose connection is there gets every window from now on. */
  | { readonly type: 'take'; readonly client: number; readonly feed: number }
  /** Bytes for one client, between two windows. */
  | { readonly type: 'reply'; readonly client: number; readonly bytes: string }
  /** Nobody there gets this feed any more. Answered with the same. */
  | { readonly type: 'shut'; readonly feed: number };

/** Messages from a delivery worker to the engine. */
export type DeliveryWorkerNote =
  | Extract<WorkerNote, { type: 'report' | 'left' }>
  /** A connection has arrived. */
  | { readonly type: 'have'; readonly client: number }
  /** No byte of an earlier region will be read any more. */
  | { readonly type: 'passed'; readonly feed: number; readonly region: number }
  | { readonly type: 'shut'; readonly feed: number }
  /** Every second: how busy it is, and the time that a window of each feed takes. */
  | {
      readonly type: 'load';
      readonly load: number;
      readonly costs: readonly (readonly [feed: number, costMs: number])[];
    };
