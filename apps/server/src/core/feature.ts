import type { Alert } from '@weir/contract';
import type { HttpApp } from './http/http-app.ts';

/** Work with a lifetime: it returns soon after its signal aborts. */
export type Task = (signal: AbortSignal) => Promise<void>;

/** One part of the control plane, as `app.ts` lists it. What it offers to other parts stands beside these. */
export interface Feature {
  /** Adds its calls. */
  readonly routes: (http: HttpApp) => void;
  /** By their names; they run from the start of the server to its end. */
  readonly tasks?: Readonly<Record<string, Task>>;
  /** What of its work needs a person now. */
  readonly alerts?: () => readonly Alert[] | Promise<readonly Alert[]>;
  /** Those of its settings that a stranger may read in a report of a broadcast: nothing that is secret. */
  readonly reported?: () => Promise<Readonly<Record<string, unknown>>>;
  /** Lets go of what it holds, once no task runs and no call is answered any more. */
  readonly close?: () => Promise<void>;
}
