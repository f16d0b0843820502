import { type ClientHook, parseClientHook } from './client-hook.ts';
import { type ProgramReport, parseProgramReport } from './programs.ts';
import { parseSegmentHook, type ToldSegment } from './segment-hook.ts';

/** Call of the engine to the control server's private socket, in the format of SRS's HTTP hooks. */
export interface EngineHook<Hook> {
  readonly path: string;
  /** Throws MalformedMessage. */
  readonly decode: (body: unknown) => Hook;
}

/** Every hook that the engine sends. A separate SRS sends them too, through a port of their own. */
export const engineHooks = {
  /** Asks whether a client may publish, and reports publishers and viewers that came or left. */
  client: { path: '/terraform/v1/hooks/srs/verify', decode: parseClientHook } as EngineHook<ClientHook>,
  /** A finished HLS segment. */
  segment: { path: '/terraform/v1/hooks/srs/hls', decode: parseSegmentHook } as EngineHook<ToldSegment>,
  /** A program switched to another input. */
  program: { path: '/terraform/v1/hooks/srs/program', decode: parseProgramReport } as EngineHook<ProgramReport>,
} as const;
