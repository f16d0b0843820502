import type { Listen } from '@weir/plane';
import type { NameState } from '../../hub/hub.ts';
import type { AnswerNote, AskNote, EngineNote, WorkerNote } from '../../workers/link/notes.ts';

/** Settings of the SRT process. */
export interface SrtWorkerSettings {
  /** Callers must have the same one; empty = no encryption. */
  readonly passphrase: string;
  /** Path of libsrt; empty = where systems keep it. */
  readonly library: string;
  /** Drops handshakes in the kernel that would cost too much memory. */
  readonly isFiltered: boolean;
  /** Time to wait for missing packets of publishers, unless they ask for longer. */
  readonly latencyMs: number;
  /** Memory limit for all callers. */
  readonly roomBytes: number;
}

export type SrtEngineNote =
  | EngineNote
  | AnswerNote
  | { readonly type: 'listen'; readonly listen: Listen }
  /** Which names are whose, as far as that changed: callers are judged by it while libsrt waits. */
  | { readonly type: 'names'; readonly names: readonly (readonly [key: string, NameState])[] }
  /** True if players of a missing stream may wait. */
  | { readonly type: 'waiting'; readonly isOpen: boolean };

export type SrtWorkerNote =
  | WorkerNote
  | AskNote
  /** libsrt is loaded. */
  | { readonly type: 'ready'; readonly version: string }
  | { readonly type: 'listening'; readonly port: number }
  /** Sent when it cannot serve. */
  | { readonly type: 'failed'; readonly note: 'no-library' | 'no-filter' | 'port-taken'; readonly reason: string };
