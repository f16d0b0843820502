import type { Config } from '../config.ts';

export type PlaneName = 'engine' | 'server';

/** What the launcher hands to each plane. It travels over the private channel between them, never by the environment. */
export interface Boot {
  readonly config: Config;
  /** Private sockets: each plane listens on its own and calls the other on the other's. */
  readonly sockets: { readonly engine: string; readonly server: string };
  /** Made anew at each start. What the engine tells the control plane carries it, so that nobody else can say it. */
  readonly hookToken: string;
  /** Made anew at each start. Seals tickets of programs of ours and of the console's picture, which play a stream and are no viewers. */
  readonly ownToken: string;
}

/** Facts a plane reports once it serves. */
export interface ReadyFacts {
  readonly httpPort?: number;
  readonly httpsPort?: number;
  /** Of the second plain HTTP listener; 0 where none was asked for. */
  readonly extraHttpPort?: number;
  readonly rtmpPort?: number;
  readonly rtcPort?: number;
  /** 0 where SRT cannot be served. */
  readonly srtPort?: number;
  /** Of a server that is not set up yet: lets somebody on another machine do it. Printed inside the set-up address. */
  readonly setupCode?: string;
}

/** How a plane's process ended. */
export interface PlaneExit {
  readonly at: string;
  /** Somebody asked for it. */
  readonly isWanted: boolean;
  readonly code: number | null;
  readonly signal: string | null;
  /** What kept it from serving; empty when it had served. */
  readonly reason: string;
}

/** A plane as the launcher sees it. */
export interface PlaneState {
  /** 0 while none runs. */
  readonly pid: number;
  /** It serves. */
  readonly isReady: boolean;
  /** Of the process that runs, or ran last. */
  readonly startedAt: string;
  /** Since the launcher started. */
  readonly restarts: number;
  readonly lastExit: PlaneExit | null;
}

export type PlaneStates = Readonly<Record<PlaneName, PlaneState>>;

/** What a plane tells the launcher. `restart` is heard only from the control plane, `waits` only before it is ready. */
export type PlaneMessage =
  | { readonly type: 'ready'; readonly facts: ReadyFacts }
  | { readonly type: 'failed'; readonly message: string }
  | { readonly type: 'waits'; readonly for: string }
  | { readonly type: 'restart'; readonly plane: PlaneName };

/** What the launcher tells a plane: its boot first; later, and only to the control plane, each change of a plane. */
export type LauncherMessage =
  | { readonly type: 'boot'; readonly boot: Boot }
  | { readonly type: 'planes'; readonly planes: PlaneStates };

/** The launcher, as a plane can use it. */
export interface LauncherLink {
  /** As the launcher last told; undefined before it did, and in the media plane for good. */
  planes(): PlaneStates | undefined;
  /** Asks for a new process. The answer is a change of `planes`, or the end of this process. */
  restart(plane: PlaneName): void;
  /** What the start is waiting for from now on, in words for an operator whose server does not start. */
  waitsFor(what: string): void;
}
