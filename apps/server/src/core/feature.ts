import type { Alert } from '@weir/contract';
import type { HttpApp } from './http/http-app.ts';

/** Work with a lifetime: it returns soon after its signal aborts. */
export type Task = (signal: AbortSignal) => Promise<void>;

/** Part of the control plane, as `app.ts` lists it. Services for other features stand beside these fields. */
export interface Feature {
  /** Adds its calls. */
  readonly routes: (http: HttpApp) => void;
  /** By their names; they run from the start of the server to its end. */
  readonly tasks?: Readonly<Record<string, Task>>;
  /** Problems that need a person now. */
  readonly alerts?: () => readonly Alert[] | Promise<readonly Alert[]>;
  /** Settings that may appear in a broadcast report for strangers: no secrets. */
  readonly reported?: () => Promise<Readonly<Record<string, unknown>>>;
  /** Lets go of what it holds, once no task runs and no call is answered any more. */
  readonly close?: () => Promise<void>;
}
