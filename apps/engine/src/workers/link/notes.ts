import type { StreamPlace } from '@weir/streams';
import type { ClientCounters, ClientKind } from '../../hub/clients/client-info.ts';
import type { NotedConfig } from './link-message.ts';

/** Counters of a client since its admission, and its transport statistics if known. */
export type ReportRow = readonly [client: number, ClientCounters, facts?: Readonly<Record<string, number>>];

/** Messages from the engine to every worker. Fed streams and clients have numbers. */
export type EngineNote =
  /** Announces frames of a stream, which follow from its last keyframe on. `publisher`: key for keyframe requests; empty for none. */
  | {
      readonly type: 'feed';
      readonly feed: number;
      readonly publisher: string;
      /** Says that a feed is a lower quality of the stream of another feed. */
      readonly lower?: { readonly of: number; readonly name: string };
    }
  | { readonly type: 'feed-config'; readonly feed: number; readonly config: NotedConfig }
  /** Announces a discontinuity; the publisher may be another one. */
  | { readonly type: 'feed-seam'; readonly feed: number; readonly publisher: string }
  /** Announces frames of another input of a program. */
  | { readonly type: 'feed-publisher'; readonly feed: number; readonly publisher: string }
  /** Ends a stream. */
  | { readonly type: 'feed-over'; readonly feed: number }
  /** Ends a feed, because its last viewer in the worker left. */
  | { readonly type: 'feed-end'; readonly feed: number }
  /** Asks for frequent transport statistics, because somebody looks at them. */
  | { readonly type: 'look' }
  /** Disconnects a client. The worker reports its end. */
  | { readonly type: 'end'; readonly client: number; readonly reason: string };

/** Messages from every worker to the engine. */
export type WorkerNote =
  /** Report per second, which proves that the worker is alive. */
  | { readonly type: 'report'; readonly rows: readonly ReportRow[]; readonly residentBytes: number }
  /** A publisher's. Its frames follow. With `layer` that of a lower quality, or of an alternative audio track. */
  | { readonly type: 'config'; readonly client: number; readonly layer?: number; readonly config: NotedConfig }
  /** Layer that is the stream from now on. */
  | { readonly type: 'lead'; readonly client: number; readonly layer: number }
  | { readonly type: 'metadata'; readonly client: number; readonly values: Readonly<Record<string, unknown>> }
  /** Sent once for each client, also for one that still waits for admission. */
  | { readonly type: 'left'; readonly client: number; readonly reason: string; readonly counters: ClientCounters };

/** Request for admission of a worker's client. */
export interface AskNote {
  readonly type: 'ask';
  readonly client: number;
  readonly kind: ClientKind;
  readonly address: string;
  readonly place: StreamPlace;
  readonly param: string;
  /** Unresponsive publisher that this one replaces, if it may publish. */
  readonly replaces?: number | undefined;
}

/** Answer; for a viewer it has the number of its stream. */
export type AnswerNote =
  | { readonly type: 'admitted'; readonly client: number; readonly feed: number | undefined }
  | { readonly type: 'refused'; readonly client: number; readonly reason: string };
