import type { ProcessExit } from '@weir/streams';
import type { Config } from '../config.ts';

export type PlaneName = 'engine' | 'server';

/** Start parameters of a plane. They travel over the private channel, never through the environment. */
export interface Boot {
  readonly config: Config;
  /** Private sockets: each plane listens on its own socket and calls the other plane on the other's. */
  readonly sockets: { readonly engine: string; readonly server: string };
  /** Authenticates the engine's hooks to the control plane. New at each start. */
  readonly hookToken: string;
  /** Signs tickets of our own programs and of the console's preview, which play a stream without counting as viewers. New at each start. */
  readonly ownToken: string;
}

/** Facts a plane reports once it serves. */
export interface ReadyFacts {
  readonly httpPort?: number;
  readonly httpsPort?: number;
  /** Port of the second plain HTTP listener; 0 without one. */
  readonly extraHttpPort?: number;
  readonly rtmpPort?: number;
  readonly rtcPort?: number;
  /** 0 where SRT cannot be served. */
  readonly srtPort?: number;
  /** Code that allows the first set-up from another machine, printed inside the set-up address. */
  readonly setupCode?: string;
}

/** A plane as the launcher sees it. */
export interface PlaneState {
  /** 0 while none runs. */
  readonly pid: number;
  readonly isReady: boolean;
  /** Start of the running process, or of the last one. */
  readonly startedAt: string;
  /** Since the launcher started. */
  readonly restarts: number;
  readonly lastExit: ProcessExit | null;
}

export type PlaneStates = Readonly<Record<PlaneName, PlaneState>>;

/**
 * Messages from a plane to the launcher. Only the control plane may send `restart`; `waits` comes only before `ready`.
 */
export type PlaneMessage =
  | { readonly type: 'ready'; readonly facts: ReadyFacts }
  | { readonly type: 'failed'; readonly message: string }
  | { readonly type: 'waits'; readonly for: string }
  | { readonly type: 'restart'; readonly plane: PlaneName };

/** Messages from the launcher to a plane: `boot` first, then (control plane only) every state change. */
export type LauncherMessage =
  | { readonly type: 'boot'; readonly boot: Boot }
  | { readonly type: 'planes'; readonly planes: PlaneStates };

/** The launcher, as a plane can use it. */
export interface LauncherLink {
  /** Latest states from the launcher; undefined before the first message and always in the media plane. */
  planes(): PlaneStates | undefined;
  /** Requests a new process. The result is a change of `planes`, or the end of this process. */
  restart(plane: PlaneName): void;
  /** Reports what the start is waiting for, in words for an operator whose server does not start. */
  waitsFor(what: string): void;
}
