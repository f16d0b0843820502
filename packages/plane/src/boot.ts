import type { Config } from './config.ts';

export type PlaneName = 'engine' | 'server';

/** What the launcher hands to each plane. It travels over the private channel between them, never by the environment. */
export interface Boot {
  readonly config: Config;
  /** Private sockets: each plane listens on its own and calls the other on the other's. */
  readonly sockets: { readonly engine: string; readonly server: string };
  /** Made anew at each start. What the engine tells the control plane carries it, so that nobody else can say it. */
  readonly hookToken: string;
}

/** Facts a plane reports once it serves. */
export interface ReadyFacts {
  readonly httpPort?: number;
  readonly httpsPort?: number;
  readonly rtmpPort?: number;
  /** 0 where SRT cannot be served. */
  readonly srtPort?: number;
  /** Of a server that is not set up yet: lets somebody on another machine do it. Printed inside the set-up address. */
  readonly setupCode?: string;
}

export type PlaneMessage =
  | { readonly type: 'ready'; readonly facts: ReadyFacts }
  | { readonly type: 'failed'; readonly message: string };
